import { readOwn } from '@nodewright/apis';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'is a folder, a file is needed',
  EACCES: 'this user may not open it',
  EROFS: 'its file system can only be read',
};

/** Why a file could not be opened, in words. What the system says else is told as it is. */
export function explainFileFailure(failure: unknown): string {
  const { code, message } = failure as { readonly code?: string; readonly message: string };
  return readOwn(reasons, code ?? '') ?? message;
}
