/** A patch that contradicts itself or the type it is for; its message is the server's. */
export class PatchFailure extends Error {}
