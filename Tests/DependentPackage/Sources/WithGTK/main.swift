import CalotypeGTK

// The tests in windows do the rest: here everything links.
print(MainLoop.start())
