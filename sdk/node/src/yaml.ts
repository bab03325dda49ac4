/** What the command line uses of the package `yaml`, which the build puts into this module, so that the SDK has no dependencies. */
export { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, stringify } from 'yaml'
