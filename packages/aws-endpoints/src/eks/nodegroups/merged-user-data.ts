import { readOwn } from '@nodewright/apis';
import { parse, stringify, TomlError, type TomlTable } from 'smol-toml';
import type { ImageRelease } from '../../releases/release.ts';

type UserDataFamily = ImageRelease['family'] | undefined;

/** What a customer says and then what EKS says, in the form that images of the family read. */
export function mergedUserData(customers: string | undefined, own: string, family: UserDataFamily): string {
  if (customers === undefined || customers === '') return own;
  const theirs = decodeUserData(customers);
  if (family === 'Bottlerocket')
    return stringify(mergeTomlTables(parse(theirs, { integersAsBigInt: 'asNeeded' }), parse(own)));
  return isWindowsUserData(family) ? withScript(theirs, own) : withParts(theirs, own);
}

/** Why EKS cannot add anything to it; nothing when it can. */
export function problemOfUserData(customers: string | undefined, family: UserDataFamily): string | undefined {
  if (customers === undefined || customers === '') return undefined;
  const theirs = decodeUserData(customers);
  if (family === 'Bottlerocket') return isToml(theirs) ? undefined : 'User data was not in the TOML format.';
  if (isWindowsUserData(family))
    return powershellBlock.test(theirs) ? undefined : 'User data was not in the PowerShell format.';
  return boundaryOf(theirs) === undefined ? 'User data was not in the MIME multipart format.' : undefined;
}

const decodeUserData = (userData: string): string => Buffer.from(userData, 'base64').toString('utf8');

const isWindowsUserData = (family: UserDataFamily): boolean => family?.startsWith('Windows') === true;

function isToml(text: string): boolean {
  try {
    parse(text, { integersAsBigInt: 'asNeeded' });
    return true;
  } catch (error) {
    if (error instanceof TomlError) return false;
    throw error;
  }
}

/** Where both say something, the second one's word counts. */
function mergeTomlTables(first: TomlTable, second: TomlTable): TomlTable {
  const merged = Object.entries(second).map(([key, value]) => {
    const before = readOwn(first, key);
    return [key, isTomlTable(before) && isTomlTable(value) ? mergeTomlTables(before, value) : value] as const;
  });
  return { ...first, ...Object.fromEntries(merged) };
}

const isTomlTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) !== Date.prototype;

const powershellBlock = /<powershell>([^]*?)<\/powershell>/i;

const withScript = (theirs: string, own: string): string =>
  own.replace('<powershell>', () => `<powershell>\n${powershellBlock.exec(theirs)?.[1]?.trim() ?? ''}`);

const boundaryOf = (text: string): string | undefined =>
  /content-type:\s*multipart\/mixed[^]*?boundary="?([^"\n;]+)"?/i.exec(text)?.[1];

function withParts(theirs: string, own: string): string {
  const boundary = `--${boundaryOf(theirs)}`;
  const parts = theirs.slice(theirs.indexOf(boundary) + boundary.length).replace(`${boundary}--`, '');
  return own.replace('\n--//\n', () => `\n--//${parts.replaceAll(boundary, '--//').trimEnd()}\n\n--//\n`);
}
