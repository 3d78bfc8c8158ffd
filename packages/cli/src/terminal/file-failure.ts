import { readOwn } from '@nodewright/apis';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'is a folder, a file is needed',
  EACCES: 'this user may not open it',
  EROFS: 'its file system can only be read',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'is a file, a folder is needed',
  Z_DATA_ERROR: 'is not compressed with gzip, though its name says so',
  Z_BUF_ERROR: 'is cut off: the end of its compressed text is missing',
};

/** Why a file could not be opened, in words. What the system says else is told as it is. */
export function explainFileFailure(failure: unknown): string {
  const { code, message } = failure as { readonly code?: string; readonly message: string };
  return readOwn(reasons, code ?? '') ?? message;
}
