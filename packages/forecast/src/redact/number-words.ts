import { byText, byTextOf } from '@nodewright/apis';

export type Renaming = ReadonlyMap<string, string>;

type WordsToNumber = {
  readonly words: Iterable<string>;
  /** Public words that names have, beside which the others keep their place. */
  readonly anchors: Iterable<string>;
};

/**
 * Numbers for words, in the same order. A number stands behind the nearest public word before it, so that the order among
 * public and numbered words stays too. All have the same number of digits.
 */
export function numberWords({ words, anchors }: WordsToNumber): Renaming {
  const places = [...anchors].filter((anchor) => /^[a-z]/i.test(anchor)).toSorted(byText);
  const sorted = [...new Set(words)].toSorted(byText);
  const width = Math.max(4, String(sorted.length).length);
  const renamed = new Map<string, string>();
  let next = 0;
  let before = '';
  for (const [index, word] of sorted.entries()) {
    for (let place = places[next]; place !== undefined && byText(place, word) < 0; place = places[next]) {
      before = place;
      next += 1;
    }
    const number = String(index + 1).padStart(width, '0');
    renamed.set(word, `${sameBeginning(before, word) ? before : firstOfItsKind(word)}${number}`);
  }
  return renamed;
}

const sameBeginning = (anchor: string, word: string): boolean =>
  anchor !== '' && firstOfItsKind(anchor) === firstOfItsKind(word);

/** Digits come before capitals, and capitals before small letters. */
function firstOfItsKind(word: string): string {
  if (/^\d/.test(word)) return '0n';
  return /^[A-Z]/.test(word) ? 'A' : 'a';
}

/** Numbers of as many digits, in the same order. */
export function numberDigits(numbers: Iterable<string>): Renaming {
  return numberWithin(numbers, (digits) => ({ kept: '', width: digits.length }));
}

/** What an API server adds to generated names: the first two letters are kept, for the order among later ones. */
export function numberSuffixes(suffixes: Iterable<string>): Renaming {
  return numberWithin(suffixes, (suffix) => ({ kept: suffix.slice(0, 2), width: 3 }));
}

/** Ids of AWS are random: the first three digits are kept, for the order among later ones. */
export function numberAwsIds(ids: Iterable<string>): Renaming {
  return numberWithin(ids, (id) => {
    const begin = id.indexOf('-') + 1;
    const digits = id.length - begin;
    const kept = digits === 17 ? 4 : 3;
    return { kept: id.slice(0, begin + kept), width: digits - kept };
  });
}

function numberWithin(
  texts: Iterable<string>,
  placeOf: (text: string) => { readonly kept: string; readonly width: number },
): Renaming {
  const counts = new Map<string, number>();
  return new Map(
    [...new Set(texts)].toSorted(byText).map((text) => {
      const { kept, width } = placeOf(text);
      const group = `${kept} ${width}`;
      const count = (counts.get(group) ?? 0) + 1;
      counts.set(group, count);
      return [text, `${kept}${String(count).padStart(width, '0')}`];
    }),
  );
}

const networksOfOneOctet = 150;

/** The first two octets of addresses, which say whose network it is, as `10.101`, `10.102` and so on. */
export const numberNetworks = (networks: Iterable<string>): Renaming =>
  new Map(
    [...new Set(networks)]
      .toSorted(byTextOf((each) => `${each}.`))
      .map((network, index) => [
        network,
        `${10 + Math.floor(index / networksOfOneOctet)}.${101 + (index % networksOfOneOctet)}`,
      ]),
  );
