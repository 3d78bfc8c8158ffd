import { byText } from '@nodewright/apis';
import { isMap, type Json, type JsonMap } from './step.ts';

/** What one server answered, normalised. */
export type Answered = {
  readonly status: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  readonly body: Json;
};

export type Difference = {
  /** Steps with the same verb, kind and place count as one kind of difference. */
  readonly place: string;
  /** Whether only the words of a message differ. */
  readonly isWording: boolean;
};

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

type Cause = { readonly field: string; readonly reason: string };

const causesOf = (status: JsonMap): readonly Cause[] => {
  const details = status['details'];
  const causes = isMap(details) && Array.isArray(details['causes']) ? (details['causes'] as readonly Json[]) : [];
  return causes.filter(isMap).map(({ field, reason }) => ({ field: textOf(field), reason: textOf(reason) }));
};

const withoutIndexes = (place: string): string => place.replaceAll(/\[[^\]]*\]/g, '[]');

/** What a refusal is about, by reason and field, sorted; undefined of another answer. */
export function listCauses({ status, body }: Answered): readonly string[] | undefined {
  if (status !== 422 || !isMap(body)) return undefined;
  return causesOf(body).map(printCause).toSorted(byText);
}

const printCause = ({ field, reason }: Cause): string => `${reason} ${withoutIndexes(field)}`;

/** What a refusal is about: its reason, and the first of its causes or how its message begins. */
function describeRefusal({ status, body }: Answered): string {
  if (!isMap(body)) return `${status}`;
  const [cause] = causesOf(body);
  const message = withoutIndexes(textOf(body['message']))
    .replaceAll(/"[^"]*"/g, '""')
    .slice(0, 90);
  return `${status} ${textOf(body['reason'])}${cause === undefined ? ` ${message}` : ` ${printCause(cause)}`}`;
}

const isRefusal = ({ status }: Answered): boolean => status >= 400;

/** How our answer differs from the real one; empty when it does not. */
export function compareAnswers(ours: Answered, real: Answered): readonly Difference[] {
  if (ours.status !== real.status)
    return [
      {
        place: `${isRefusal(ours) ? describeRefusal(ours) : ours.status} instead of ${isRefusal(real) ? describeRefusal(real) : real.status}`,
        isWording: false,
      },
    ];
  const around = [
    ...(ours.contentType === real.contentType
      ? []
      : [{ place: `content type ${ours.contentType} instead of ${real.contentType}`, isWording: false }]),
    ...compareWarnings(ours.warnings, real.warnings),
  ];
  return [...around, ...(isRefusal(ours) ? compareRefusals(ours, real) : compareBodies(ours.body, real.body))];
}

function compareWarnings(ours: readonly string[], real: readonly string[]): readonly Difference[] {
  if (ours.join('\n') === real.join('\n')) return [];
  const isWording = ours.toSorted(byText).join('\n') === real.toSorted(byText).join('\n');
  const [odd = ''] = [
    ...real.filter((text) => !ours.includes(text)).map((text) => `without "${text}"`),
    ...ours.filter((text) => !real.includes(text)).map((text) => `with "${text}"`),
  ];
  return [{ place: isWording ? 'order of warnings' : `warning ${withoutIndexes(odd).slice(0, 80)}`, isWording }];
}

function compareRefusals(ours: Answered, real: Answered): readonly Difference[] {
  const [a, b] = [ours.body, real.body];
  if (!isMap(a) || !isMap(b)) return compareBodies(a, b);
  if (a['reason'] !== b['reason'])
    return [{ place: `reason ${textOf(a['reason'])} instead of ${textOf(b['reason'])}`, isWording: false }];
  const [own, theirs] = [causesOf(a).map(printCause), causesOf(b).map(printCause)];
  const [absent] = theirs.filter((cause) => !own.includes(cause));
  if (absent !== undefined) return [{ place: `no cause ${absent}`, isWording: false }];
  const [added] = own.filter((cause) => !theirs.includes(cause));
  if (added !== undefined) return [{ place: `cause ${added} too many`, isWording: false }];
  if (own.toSorted(byText).join('\n') !== theirs.toSorted(byText).join('\n'))
    return [{ place: `number of causes ${theirs[0]}`, isWording: true }];
  const others = compareBodies(withoutWords(a), withoutWords(b));
  if (others.length > 0) return others;
  return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ place: describeRefusal(real), isWording: true }];
}

/** Of a refusal: without what is written for people. */
function withoutWords(status: JsonMap): Json {
  const { message: _, details, ...others } = status;
  if (!isMap(details)) return others;
  const { causes: _causes, ...kept } = details;
  return { ...others, details: kept };
}

/** Tables describe their columns in words of our own. */
const ownWords = /columnDefinitions\[\]\.description$/;

function compareBodies(ours: Json, real: Json): readonly Difference[] {
  const places = new Set<string>();
  collectPlaces(ours, real, '', places);
  return [...places].map((place) => ({ place, isWording: ownWords.test(place) }));
}

function collectPlaces(ours: Json | undefined, real: Json | undefined, at: string, places: Set<string>): void {
  if (isMap(ours) && isMap(real)) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(real)]))
      collectPlaces(
        ours[name],
        real[name],
        at.includes('managedFields') ? 'metadata.managedFields' : joined(at, name),
        places,
      );
    return;
  }
  if (Array.isArray(ours) && Array.isArray(real) && ours.length === real.length) {
    for (const [nth, inner] of (ours as readonly Json[]).entries())
      collectPlaces(inner, (real as readonly Json[])[nth], `${at}[]`, places);
    return;
  }
  if (JSON.stringify(ours) === JSON.stringify(real)) return;
  const how = ours === undefined ? ' absent' : real === undefined ? ' added' : '';
  places.add(`${at.replace(/managedFields.*/, 'managedFields')}${how}`);
}

/** The smallest parts in which two answers differ, for people. */
export function listUnequalParts(ours: Json | undefined, real: Json | undefined, at = ''): readonly string[] {
  if (JSON.stringify(ours) === JSON.stringify(real)) return [];
  if (isMap(ours) && isMap(real)) {
    const names = [...new Set([...Object.keys(ours), ...Object.keys(real)])];
    return names.flatMap((name) => listUnequalParts(ours[name], real[name], joined(at, name)));
  }
  if (Array.isArray(ours) && Array.isArray(real) && ours.length === real.length)
    return (ours as readonly Json[]).flatMap((inner, nth) =>
      listUnequalParts(inner, (real as readonly Json[])[nth], `${at}[${nth}]`),
    );
  return [`${at}: ours ${JSON.stringify(ours)} real ${JSON.stringify(real)}`];
}

const joined = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);
