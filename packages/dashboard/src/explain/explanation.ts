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
  const names = objects.map(({ metadata }) => metadata.name).toSorted();
  const some = names.length > 10 ? [...names.slice(0, 10), `${names.length - 10} more`] : names;
  const there = names.length === 0 ? 'there is none' : `there is ${some.join(', ')}`;
  throw new NoSuchObjectError(`no ${kind} ${name}; ${there}`);
}
