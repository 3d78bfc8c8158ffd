/** A patch that contradicts itself or its type. The message is that of a real server. */
export class PatchFailure extends Error {}
