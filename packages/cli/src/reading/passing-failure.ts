import { ApiError, ConnectionError } from '@nodewright/runtime';

/** Whether an API server that refuses or does not answer may answer the next time: who waits for something goes on. */
export const isPassingFailure = (failure: unknown): failure is Error =>
  failure instanceof ConnectionError || (failure instanceof ApiError && (failure.code >= 500 || failure.code === 429));
