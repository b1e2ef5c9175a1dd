import CalotypeGTK

// Proves that everything links; the tests in windows do the rest.
print(MainLoop.start())
