import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../terminal/exit-status.ts';
import { explainFileFailure } from '../../terminal/file-failure.ts';

/** A text with manifests in it, and how to call it in a message. */
export type ManifestText = { readonly source: string; readonly text: string };

/**
 * The manifests of a file, of a folder (`.yaml`, `.yml` and `.json` in it, by name), or of standard input (`-`).
 * @throws InputError when there is no such file, or nothing in the folder
 */
export function manifestTexts(path: string): readonly ManifestText[] {
  if (path === '-') return [{ source: 'stdin', text: readFileSync(0, 'utf8') }];
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new InputError(`${path}: there is no such file or folder`);
  if (!found.isDirectory()) return [readManifestText(path)];
  const names = readdirSync(path).filter((name) => /\.(ya?ml|json)$/.test(name));
  if (names.length === 0) throw new InputError(`${path}: there is no .yaml, .yml or .json file in this folder`);
  return names.toSorted().map((name) => readManifestText(join(path, name)));
}

function readManifestText(path: string): ManifestText {
  try {
    return { source: path, text: readFileSync(path, 'utf8') };
  } catch (failure) {
    throw new InputError(`${path}: ${explainFileFailure(failure)}`, { cause: failure });
  }
}
