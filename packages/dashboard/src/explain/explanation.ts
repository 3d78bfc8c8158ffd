import type { Explanation } from '../rows/dashboard-rows.ts';
import { NoSuchObjectError } from './no-such-object.ts';

/** For what people change: the commands that look ahead. */
export const lookAhead =
  'nodewright diff -f FILE tells what a change would replace, nodewright forecast -f FILE when and what stands in its way';

/** For people: the sentence, then one line for each reason. */
export function printExplanation({ subject, answer, reasons, changesAt, change, seeAlso }: Explanation): string {
  const { kind, name, namespace } = subject;
  const where = namespace === undefined ? name : `${namespace}/${name}`;
  return [
    `${kind} ${where}: ${answer}`,
    ...reasons.map((reason) => `  - ${reason}`),
    ...(changesAt === undefined
      ? []
      : [`  changes by itself at ${changesAt}${change === undefined ? '' : `: ${change}`}`]),
    ...(seeAlso === undefined ? [] : [`  ${seeAlso}`]),
  ].join('\n');
}

type NamedObject = { readonly metadata: { readonly name: string } };

/**
 * The object of a name.
 * @throws NoSuchObjectError that tells which there are
 */
export function findNamed<T extends NamedObject>(kind: string, objects: readonly T[], name: string): T {
  const found = objects.find(({ metadata }) => metadata.name === name);
  if (found !== undefined) return found;
  throw createNoSuchObjectError(
    kind,
    name,
    objects.map(({ metadata }) => metadata.name),
  );
}

const mostNames = 10;

/** Tells which there are; some of them where there are many. */
export function createNoSuchObjectError(kind: string, name: string, known: readonly string[]): NoSuchObjectError {
  const names = known.toSorted();
  const more = names.length - mostNames;
  const some = more > 0 ? [...names.slice(0, mostNames), `${more} more`] : names;
  return new NoSuchObjectError(`no ${kind} ${name}; there is ${some.join(', ') || 'none'}`);
}
