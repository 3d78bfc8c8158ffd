import type { AwsError } from '../codec/aws-error.ts';

/**
 * A bound that the API reference of an operation states for one member of its input: the value of a number, the length of
 * a list, or, for a path of two names, the length of the list that each item of a list has.
 */
export type InputLimit = {
  readonly kind: 'value' | 'items';
  /** A member of the input, `MaxResults`, or a member of the items of a list, `Filters.Values`. */
  readonly path: string;
  readonly least: number;
  readonly most: number;
};

/** A limit that an input does not keep, with the number that the input has. */
export type ExceededLimit = InputLimit & { readonly actual: number };

/** The limits of a service by the names of its operations, and the error for an input that does not keep one. */
export type ServiceLimits = {
  readonly byOperation: ReadonlyMap<string, readonly InputLimit[]>;
  readonly refuse: (exceeded: ExceededLimit) => AwsError;
};

/** A number must be from `least` to `most`. */
export const limitValue = (path: string, least: number, most: number): InputLimit => ({
  kind: 'value',
  path,
  least,
  most,
});

/** A list must have at most so many items, and at least as many as are said [none]. */
export const limitItems = (path: string, most: number, least = 0): InputLimit => ({ kind: 'items', path, least, most });

/** Finds the first limit of the operation that the input does not keep. Members that are left out keep every limit. */
export function findExceededLimit(
  { byOperation }: Pick<ServiceLimits, 'byOperation'>,
  operation: string,
  input: object,
): ExceededLimit | undefined {
  for (const limit of byOperation.get(operation) ?? []) {
    const actual = listLimitedMembers([input], limit.path.split('.'))
      .map((member) => measureMember(member, limit))
      .find((size) => size !== undefined && (size < limit.least || size > limit.most));
    if (actual !== undefined) return { ...limit, actual };
  }
  return undefined;
}

/** Lists the members at the end of a path. A list on the way contributes the members of each of its items. */
function listLimitedMembers(parents: readonly unknown[], [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return parents;
  const members = parents.flatMap((parent) =>
    typeof parent === 'object' && parent !== null
      ? Object.entries(parent).flatMap(([key, value]) => (key === name ? [value] : []))
      : [],
  );
  return listLimitedMembers(rest.length > 0 ? members.flat() : members, rest);
}

function measureMember(member: unknown, { kind }: InputLimit): number | undefined {
  if (kind === 'items') return Array.isArray(member) ? member.length : undefined;
  return typeof member === 'number' ? member : undefined;
}

/** Writes a limit in words: `Names has 11 items, must have from 1 to 10`. */
export const describeExceededLimit = ({ kind, path, actual, least, most }: ExceededLimit): string =>
  kind === 'items'
    ? `${path} has ${actual} items, must have from ${least} to ${most}`
    : `${path} is ${actual}, must be from ${least} to ${most}`;

/** Writes a limit in the words of services that check their models: SSM, IAM, Auto Scaling. */
export function describeConstraint({ kind, path, actual, least, most }: ExceededLimit): string {
  const member = path.charAt(0).toLowerCase() + path.slice(1);
  const [word, bound] = actual < least ? ['greater', least] : ['less', most];
  const what = kind === 'items' ? 'length' : 'value';
  return `1 validation error detected: Value '${actual}' at '${member}' failed to satisfy constraint: Member must have ${what} ${word} than or equal to ${bound}`;
}
