import Calotype

// Everything links, and a loader can be created.
print(ImageLoader(ImageLoaderOptions.ephemeral).statistics)
