import type { RequirementWithMinValues } from '@nodewright/apis';
import type { Requirement, Requirements } from '@nodewright/requirements';

type Asked = Pick<RequirementWithMinValues, 'key' | 'operator' | 'values'>;

/** Whether labels that follow `has` can satisfy everything asked. A label that is not told anything of is absent. */
export const admitsAll = (has: Requirements, asked: readonly Asked[]): boolean =>
  asked.every((each) => admits(has.get(each.key), each));

/** As `admitsAll`, but only for the labels that `has` speaks of. */
export const admitsKnown = (has: Requirements, asked: readonly Asked[]): boolean =>
  asked.filter(({ key }) => has.has(key)).every((each) => admits(has.get(each.key), each));

function admits(has: Requirement | undefined, { operator, values = [] }: Asked): boolean {
  const possible = [...(has?.values ?? [])];
  const exists = has !== undefined && (has.complement || possible.length > 0);
  switch (operator) {
    case 'Exists':
      return exists;
    case 'DoesNotExist':
      return !exists;
    case 'In':
      return (
        exists &&
        (has.complement
          ? values.some((value) => !has.values.has(value))
          : possible.some((value) => values.includes(value)))
      );
    case 'NotIn':
      return !exists || has.complement || possible.some((value) => !values.includes(value));
    case 'Gt':
    case 'Gte':
    case 'Lt':
    case 'Lte':
      return (
        exists && (has.complement || possible.some((value) => isInBounds(operator, Number(value), Number(values[0]))))
      );
  }
}

function isInBounds(operator: 'Gt' | 'Gte' | 'Lt' | 'Lte', value: number, bound: number): boolean {
  switch (operator) {
    case 'Gt':
      return value > bound;
    case 'Gte':
      return value >= bound;
    case 'Lt':
      return value < bound;
    case 'Lte':
      return value <= bound;
  }
}
