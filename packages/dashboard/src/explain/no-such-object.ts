/** The caller named an object that the reading does not have. The message tells which there are. */
export class NoSuchObjectError extends Error {
  override readonly name = 'NoSuchObjectError';
}
