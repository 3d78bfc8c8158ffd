/** A base that no image can be built on. The message says what is wrong and what to do. */
export class BaseImageError extends Error {}
