/**
 * The action of verifications that a member makes in the console. With its dot no caller of the API can send it, so that they can
 * be told from those of the merchant's own pages.
 */
export const PLAYGROUND_ACTION = 'console.playground'
