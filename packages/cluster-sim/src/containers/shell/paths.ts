import { byText } from '@nodewright/apis';

type Files = Readonly<Record<string, string>>;

/** Folders that every container has, though nothing is in them. */
const emptyFolders = ['/bin', '/dev', '/etc', '/home', '/proc', '/root', '/sys', '/tmp', '/usr', '/var'];

/** An absolute path without `.` and `..`. */
export function resolvedPath(folder: string, name: string): string {
  const found: string[] = [];
  for (const part of (name.startsWith('/') ? name : `${folder}/${name}`).split('/')) {
    if (part === '..') found.pop();
    else if (part !== '' && part !== '.') found.push(part);
  }
  return `/${found.join('/')}`;
}

export const isContainerFolder = (files: Files, path: string): boolean =>
  path === '/' || emptyFolders.includes(path) || Object.keys(files).some((file) => file.startsWith(`${path}/`));

export function folderEntries(files: Files, path: string): readonly string[] {
  const prefix = path === '/' ? '/' : `${path}/`;
  const below = [...Object.keys(files), ...emptyFolders].filter((each) => each.startsWith(prefix));
  return [...new Set(below.map((each) => each.slice(prefix.length).split('/')[0] ?? ''))].toSorted(byText);
}
