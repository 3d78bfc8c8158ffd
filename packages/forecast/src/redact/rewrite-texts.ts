import { readOwn } from '@nodewright/apis';
import { keysOfFreeText, keysOfPublicValues, publicKeys } from './public-keys.ts';
import { enumFields, opaqueFields, publicForms, quantityMaps, userMaps } from './text-fields.ts';

export type TextRewriter = {
  /** A text whose words have to stay the same words everywhere: names and what refers to them. */
  words(text: string, field: string): string;
  /** A text that is not read, but that may tell two objects apart. */
  opaque(text: string): string;
};

type WalkOptions = {
  readonly rewriter: TextRewriter;
  /** Keys that a selector, a requirement, a taint or a spread looks at. */
  readonly keysLookedAt: ReadonlySet<string>;
};

/** Where a value is. */
type Place = {
  readonly field: string;
  /** The field that the object is in. */
  readonly within: string;
  readonly siblings: Readonly<Record<string, unknown>>;
};

/** The same value with every text that may be private rewritten. Numbers and truth values stay. */
export function rewriteTexts(value: unknown, options: WalkOptions): unknown {
  return rewriteAt(value, { field: '', within: '', siblings: {} }, options);
}

function rewriteAt(value: unknown, place: Place, options: WalkOptions): unknown {
  if (typeof value === 'string') return rewriteText(value, place, options);
  if (Array.isArray(value)) return value.map((each) => rewriteAt(each, place, options));
  if (typeof value !== 'object' || value === null) return value;
  const siblings: Readonly<Record<string, unknown>> = { ...value };
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      rewriteKey(field, { within: place.field, inner }, options),
      rewriteAt(inner, { field, within: place.field, siblings }, options),
    ]),
  );
}

type Member = { readonly within: string; readonly inner: unknown };

const isOfUser = (field: string, { within, inner }: Member): boolean =>
  /[^$A-Za-z0-9]/.test(field) || (userMaps.has(within) && (typeof inner !== 'object' || inner === null));

const rewriteKey = (field: string, member: Member, { rewriter }: WalkOptions): string =>
  isOfUser(field, member) ? rewriteReference(field, 'key', rewriter) : field;

const rewriteReference = (text: string, field: string, rewriter: TextRewriter): string =>
  publicKeys.has(text) ? text : rewriter.words(text, field);

const quantity = /^\d+(\.\d+)?([numkMGTPE]|[KMGTPE]i|%)?$/;

function rewriteText(text: string, place: Place, options: WalkOptions): string {
  const { field, within, siblings } = place;
  const { rewriter } = options;
  if (text === '') return text;
  if (quantityMaps.has(within) && quantity.test(text)) return text;
  if (isOfUser(field, { within, inner: text })) return rewriteUserValue(text, place, options);
  if (opaqueFields.has(field) || within === 'env') return rewriter.opaque(text);
  if (field === 'imageID' && !text.startsWith('ami-')) return rewriter.opaque(text);
  if (enumFields.has(field) && readOwn(publicForms, field)?.test(text) !== false) return text;
  const key = readOwn(siblings, 'key');
  if ((field === 'values' || field === 'value') && typeof key === 'string')
    return keysOfPublicValues.has(key) || isBound(text, siblings) ? text : rewriter.words(text, field);
  return rewriteReference(text, field, rewriter);
}

/** The number of a requirement with Gt or Lt. */
const isBound = (text: string, siblings: Readonly<Record<string, unknown>>): boolean =>
  /^\d+$/.test(text) && /^[GL]te?$/.test(String(readOwn(siblings, 'operator')));

/** Of a label, an annotation or a tag. */
function rewriteUserValue(text: string, { field: key }: Place, { rewriter, keysLookedAt }: WalkOptions): string {
  if (keysOfPublicValues.has(key)) return text;
  const isRead = keysLookedAt.has(key) || (publicKeys.has(key) && !keysOfFreeText.has(key)) || isClusterTag(key);
  return isRead ? rewriter.words(text, 'value') : rewriter.opaque(text);
}

/** `kubernetes.io/cluster/NAME: owned`. */
const isClusterTag = (key: string): boolean => key.startsWith('kubernetes.io/cluster/');
