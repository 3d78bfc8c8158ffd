import {
  byTextOf,
  type EC2NodeClass,
  fromTimestamp,
  inOrder,
  type Instant,
  nodewrightAnnotations,
  toTimestamp,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import type { FirstSeen, FoundImage } from '@nodewright/engine';

/** Images of so many past releases are remembered; an annotation is no archive. */
const mostRememberedImages = 40;

/** What is remembered on the NodeClass. Text that is no memory of ours counts as none. */
export const firstSeenOf = ({ metadata }: EC2NodeClass): FirstSeen =>
  firstSeenIn(entriesIn(metadata.annotations?.[nodewrightAnnotations.imagesFirstSeen]));

/** What is no time is not remembered. */
export const firstSeenIn = (entries: readonly (readonly [string, unknown])[]): FirstSeen =>
  new Map(
    entries.flatMap(([id, at]): [string, Instant][] =>
      typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? [[id, fromTimestamp(at)]] : [],
    ),
  );

function entriesIn(text: string | undefined): readonly [string, unknown][] {
  if (text === undefined) return [];
  try {
    const memory: unknown = JSON.parse(text);
    return typeof memory === 'object' && memory !== null ? Object.entries(memory) : [];
  } catch {
    return []; // another writer changed it: what is named now is seen anew
  }
}

/** The memory with what moving parameters name now: the earliest sight of an image counts. */
export function withSeen(memory: FirstSeen, images: readonly FoundImage[]): FirstSeen {
  const seen = new Map(memory);
  for (const { id, namedSince } of images) {
    const known = seen.get(id);
    if (namedSince !== undefined && (known === undefined || namedSince < known)) seen.set(id, namedSince);
  }
  return new Map([...seen].toSorted(newestSightingFirst).slice(0, mostRememberedImages));
}

/** As the annotation holds it; nothing when there is nothing to remember. */
export const firstSeenAnnotation = (memory: FirstSeen): Readonly<Record<string, string>> =>
  memory.size === 0 ? {} : { [nodewrightAnnotations.imagesFirstSeen]: JSON.stringify(firstSeenTable(memory)) };

/** Image id to RFC 3339, newest first. */
export const firstSeenTable = (memory: FirstSeen): Readonly<Record<string, string>> =>
  Object.fromEntries([...memory].toSorted(newestSightingFirst).map(([id, at]) => [id, toTimestamp(at)]));

const newestSightingFirst = inOrder<readonly [string, Instant]>(
  inReverse(byNumberOf(([, at]) => at)),
  byTextOf(([id]) => id),
);
