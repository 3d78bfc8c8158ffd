import { InputError } from '../../terminal/exit-status.ts';

/** Why something is as it is: one sentence, and what it rests on. */
export type Explanation = {
  readonly subject: { readonly kind: string; readonly name: string; readonly namespace?: string };
  readonly answer: string;
  readonly reasons: readonly string[];
  /** When time alone changes the answer; RFC 3339. */
  readonly changesAt?: string;
  /** What changes then: a clause. */
  readonly change?: string;
};

/** For people: the sentence, then one line for each reason. */
export function printExplanation({ subject, answer, reasons, changesAt, change }: Explanation): string {
  const { kind, name, namespace } = subject;
  const where = namespace === undefined ? name : `${namespace}/${name}`;
  return [
    `${kind} ${where}: ${answer}`,
    ...reasons.map((reason) => `  - ${reason}`),
    ...(changesAt === undefined
      ? []
      : [`  changes by itself at ${changesAt}${change === undefined ? '' : `: ${change}`}`]),
  ].join('\n');
}

type NamedObject = { readonly metadata: { readonly name: string } };

/**
 * The object of a name.
 * @throws InputError that tells which there are
 */
export function findNamed<T extends NamedObject>(kind: string, objects: readonly T[], name: string): T {
  const found = objects.find(({ metadata }) => metadata.name === name);
  if (found !== undefined) return found;
  throw noSuchObject(
    kind,
    name,
    objects.map(({ metadata }) => metadata.name),
  );
}

const mostNames = 10;

/** Tells which there are; some of them where there are many. */
export function noSuchObject(kind: string, name: string, known: readonly string[]): InputError {
  const names = known.toSorted();
  const more = names.length - mostNames;
  const some = more > 0 ? [...names.slice(0, mostNames), `${more} more`] : names;
  return new InputError(`no ${kind} ${name}; there is ${some.join(', ') || 'none'}`);
}
