package lobby

import ()

// The domain types are defined in packages below the lobby, so that its functional cores can use them
// without the lobby. They have their names here as well, because a front end or a store needs most of them
// together and should not import four packages for them.
