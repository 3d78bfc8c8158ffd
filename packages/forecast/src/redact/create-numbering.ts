import { byText, type KubernetesObject, karpenterLabels, readOwn } from '@nodewright/apis';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { CollectedTexts } from './collect-texts.ts';
import {
  numberAwsIds,
  numberDigits,
  numberNetworks,
  numberSuffixes,
  numberWords,
  type Renaming,
} from './number-words.ts';
import { publicWordsOf } from './public-words.ts';
import type { TextRewriter } from './rewrite-texts.ts';
import { splitText, type TextPart, wordsOfText } from './split-text.ts';

/** Rewrites texts by numbers for what was collected; `hashes` are words that stand for others. */
export function createNumbering(snapshot: Snapshot, collected: CollectedTexts, hashes: Renaming): TextRewriter {
  const numbers = numberParts(snapshot, collected);
  const opaque = numberOpaque(collected.opaque);
  const words = (text: string): string =>
    splitText(text)
      .map((part) => (part.kind === 'word' ? hashes.get(part.text) : undefined) ?? renamePart(part, numbers))
      .join('');
  return { words, opaque: (text) => opaque.get(text) ?? '' };
}

type Numbers = {
  readonly words: Renaming;
  readonly ids: Renaming;
  readonly networks: Renaming;
  readonly uids: ReadonlySet<string>;
};

function numberParts(snapshot: Snapshot, { references, names }: CollectedTexts): Numbers {
  const known = publicWordsOf(snapshot);
  const uids = uidsOf(snapshot);
  const parts = [...references].flatMap(splitText);
  const textsOf = (kind: TextPart['kind']) => parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
  const unknownUuids = textsOf('uuid').filter((uuid) => !uids.has(uuid));
  const words = [...textsOf('word'), ...unknownUuids.flatMap((uuid) => uuid.split('-'))].filter(
    (word) => !isPublicWord(word, known),
  );
  const digits = words.filter((word) => /^\d+$/.test(word));
  const suffixes = generatedSuffixes(snapshot).filter((suffix) => !isPublicWord(suffix, known));
  const apart = new Set([...digits, ...suffixes]);
  const others = words.filter((word) => !apart.has(word));
  const anchors = [...names].flatMap(wordsOfText).filter((word) => known.has(word));
  const publicImages = publicImageIds(snapshot);
  return {
    words: new Map([
      ...numberWords({ words: others, anchors: new Set(anchors) }),
      ...numberDigits(digits),
      ...numberSuffixes(suffixes),
    ]),
    ids: numberAwsIds(textsOf('awsId').filter((id) => !publicImages.has(id))),
    networks: numberNetworks(textsOf('address').map(networkOfAddress).filter(isOfSomebody)),
    uids,
  };
}

function renamePart({ kind, text }: TextPart, { words, ids, networks, uids }: Numbers): string {
  if (kind === 'word') return words.get(text) ?? text;
  if (kind === 'awsId') return ids.get(text) ?? text;
  if (kind === 'uuid' && !uids.has(text)) return text.replaceAll(/[^-]+/g, (word) => words.get(word) ?? word);
  if (kind !== 'address') return text;
  const separator = text.includes('.') ? '.' : '-';
  const network = networks.get(networkOfAddress(text));
  if (network === undefined) return text;
  return [...network.split('.'), ...text.split(separator).slice(2)].join(separator);
}

const networkOfAddress = (address: string): string => address.split(/[.-]/, 2).join('.');

/** Networks that are the same everywhere: none, loopback, link-local and the usual ones of services. */
const networksOfNobody = new Set(['0.0', '127.0', '169.254', '10.100', '172.20']);

const isOfSomebody = (network: string): boolean => !networksOfNobody.has(network);

/** Small numbers count things; `30s`, `20Gi`, `v1` and the dates of releases are no names. */
const shapesOfNumbers = /^(\d{1,4}|\d+(m|[KMGTPE]i)|(\d{1,4}(ms|[hms]))+|v\d{1,2}((alpha|beta)\d)?|v20\d{6})$/;

const isPublicWord = (word: string, known: ReadonlySet<string>): boolean =>
  known.has(word) || shapesOfNumbers.test(word);

const allObjects = ({ kubernetes }: Snapshot): readonly KubernetesObject[] => Object.values(kubernetes).flat();

/** Random, and made by the API server. */
const uidsOf = (snapshot: Snapshot): ReadonlySet<string> =>
  new Set(
    allObjects(snapshot).flatMap(({ metadata: { uid, ownerReferences = [] } }) => [
      ...(uid === undefined ? [] : [uid]),
      ...ownerReferences.map((owner) => owner.uid),
    ]),
  );

/** The random letters at the end of generated names. */
const generatedSuffixes = (snapshot: Snapshot): readonly string[] =>
  allObjects(snapshot).flatMap(({ metadata: { name, generateName, labels } }) => {
    const pool = readOwn(labels, karpenterLabels.nodePool);
    const prefix = generateName ?? (pool === undefined ? undefined : `${pool}-`);
    if (prefix === undefined || !name.startsWith(prefix)) return [];
    const suffix = name.slice(prefix.length);
    return /^[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(suffix) ? [suffix] : [];
  });

const publicImageIds = ({ aws }: Snapshot): ReadonlySet<string> =>
  new Set(aws.images.flatMap(({ alias, images }) => (alias === undefined ? [] : images.map(({ id }) => id))));

const numberOpaque = (texts: ReadonlySet<string>): Renaming =>
  new Map([...texts].toSorted(byText).map((text, index) => [text, `text${String(index + 1).padStart(5, '0')}`]));
