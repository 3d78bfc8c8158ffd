import type { StorageProblem } from '@nodewright/runtime';

/** Free space, a larger quota or a higher limit of the size of files ends these. */
const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export const isFull = (failure: unknown): boolean => fullCodes.has((failure as NodeJS.ErrnoException).code ?? '');

/** What an error of the file system means for a sandbox. */
export function problemOf(
  failure: unknown,
  { path, isReadable }: { readonly path: string; readonly isReadable: boolean },
): StorageProblem {
  const { code = '', message } = failure as NodeJS.ErrnoException;
  const kind = isFull(failure) ? 'full' : 'failed';
  const state = isReadable ? 'the sandbox is read-only' : 'the sandbox does not answer';
  const cause = kind === 'full' ? `the disk is full (${code})` : `the disk does not take what is written (${message})`;
  const remedy = kind === 'full' ? 'free space on that disk' : 'look after that disk';
  return { kind, isReadable, message: `${state}: ${cause} at ${path}; ${remedy}, and it goes on by itself` };
}
