import { intersects, satisfies } from '../requirements/compatibility.ts';
import { printed } from '../requirements/written-form.ts';
import type { Requirement, Requirements } from '../requirements/requirements.ts';
import type { AttachedVolume } from '../volumes/attached-volumes.ts';
import type { InstanceType } from './instance-type.ts';
import type { TypeOption } from './type-option.ts';
import { fits } from './resource-rows.ts';
import type { ResourceRow } from './resource-rows.ts';
import { toResourceList } from './resources.ts';
import { printedShortage } from './shortage.ts';
import { countsByDriver, hasRoomFor } from './type-filter.ts';
import { cheapestPrice } from './type-table.ts';

/** What instance types were held against; a list of these says on which no type agreed. */
export type TypeCriterion = 'requirements' | 'resources' | 'offering';

/** How one constraint narrows the instance types. */
export type FunnelStep = {
  /** What was asked: `memory 900Gi`, `kubernetes.io/arch In [arm64]`. */
  readonly constraint: string;
  /** How many types are left after it. */
  readonly left: number;
  /** Where none is left: what would have been possible. */
  readonly nearest?: string;
};

/** What becomes of a pool's types, one constraint after the other, up to the one that leaves none. */
export type TypeFunnel = { readonly types: number; readonly steps: readonly FunnelStep[] };

type Demand = {
  /** What the types are known to meet already. */
  readonly before: Requirements;
  readonly requirements: Requirements;
  readonly total: ResourceRow;
  readonly attached: readonly AttachedVolume[];
  /** Names and amounts of what is asked, in the order of the row. */
  readonly names: readonly string[];
};

type Constraint = {
  readonly text: string;
  readonly admits: (option: TypeOption) => boolean;
  readonly nearest: (before: readonly TypeOption[]) => string;
};

/** The funnel of types that a demand leaves; constraints that take nothing away are not in it. */
export function typeFunnel(options: readonly TypeOption[], demand: Demand): TypeFunnel {
  const steps: FunnelStep[] = [];
  let left = options;
  for (const { text, admits, nearest } of constraintsOf(demand)) {
    const kept = left.filter(admits);
    const count = namesOf(kept).length;
    if (count < namesOf(left).length)
      steps.push({ constraint: text, left: count, ...(count === 0 ? { nearest: nearest(left) } : {}) });
    left = kept;
    if (left.length === 0) break;
  }
  return { types: namesOf(options).length, steps };
}

function* constraintsOf(demand: Demand): Generator<Constraint> {
  const { before, requirements } = demand;
  const asked = [...requirements.values()].filter((r) => before.get(r.key) !== r);
  for (const r of asked.toSorted((a, b) => (a.key < b.key ? -1 : 1))) yield onLabel(r);
  for (const [index, name] of [...demand.names.entries()].toSorted(([, a], [, b]) => (a < b ? -1 : 1))) {
    if ((demand.total[index] ?? 0) > 0) yield onResource(name, index, demand.total[index] ?? 0);
  }
  for (const [driver, count] of countsByDriver(demand.attached)) yield onVolumes(driver, count);
  yield {
    text: 'what can be bought there now',
    admits: ({ type }) => cheapestPrice(type, requirements) !== Infinity,
    nearest: (types) =>
      printedShortage(
        types.map(({ type }) => type),
        requirements,
      ) ?? `offered but not there or not now: ${someNames(types)}`,
  };
}

const onLabel = (r: Requirement): Constraint => ({
  text: printed(r),
  admits: ({ type }) => satisfies(type.requirements, r),
  nearest: (types) => `there is ${valuesOf(types, r.key)}`,
});

const onResource = (name: string, index: number, amount: number): Constraint => ({
  text: `${name} ${printedAmount(name, amount)}`,
  admits: ({ available }) => (available[index] ?? 0) >= amount,
  nearest: (types) => {
    const most = types.reduce((largest, { available }) => Math.max(largest, available[index] ?? 0), 0);
    return `the most is ${printedAmount(name, most)}`;
  },
});

const onVolumes = (driver: string, count: number): Constraint => ({
  text: `${count} volumes of ${driver}`,
  admits: ({ type }) => hasRoomFor(type, new Map([[driver, count]])),
  nearest: (types) => {
    const most = types.reduce((largest, { type }) => Math.max(largest, type.attachLimits?.get(driver) ?? 0), 0);
    return `the most is ${most}`;
  },
});

const printedAmount = (name: string, amount: number): string => String(toResourceList({ [name]: amount })[name] ?? '0');

const mostNames = 3;

function valuesOf(types: readonly TypeOption[], key: string): string {
  const values = new Set(types.flatMap(({ type }) => [...(type.requirements.get(key)?.values ?? [])]));
  return values.size === 0 ? `no ${key}` : listed([...values].toSorted());
}

const someNames = (types: readonly TypeOption[]): string => listed(namesOf(types));

/** Each type once, be it several options. */
const namesOf = (options: readonly TypeOption[]): readonly string[] => [
  ...new Set(options.map(({ type }) => type.name)),
];

const listed = (names: readonly string[]): string =>
  names.length <= mostNames
    ? names.join(', ')
    : `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} others`;

/**
 * Which criteria no option meets: a single one if that suffices, else the first pair that is
 * never met together, else all three.
 */
export function unmetCriteria(
  options: readonly TypeOption[],
  demand: Pick<Demand, 'requirements' | 'total'>,
): readonly TypeCriterion[] {
  const verdicts = options.map(({ type, available }) => ({
    requirements: intersects(demand.requirements, type.requirements),
    resources: fits(demand.total, available),
    offering: hasOffering(type, demand.requirements),
  }));
  const combinations: readonly (readonly TypeCriterion[])[] = [
    ['requirements'],
    ['resources'],
    ['offering'],
    ['requirements', 'resources'],
    ['resources', 'offering'],
    ['requirements', 'offering'],
  ];
  const never = combinations.find((criteria) => !verdicts.some((verdict) => criteria.every((each) => verdict[each])));
  return never ?? ['requirements', 'resources', 'offering'];
}

const hasOffering = (type: InstanceType, requirements: Requirements): boolean =>
  cheapestPrice(type, requirements) !== Infinity;

/** `412 types; 96 after kubernetes.io/arch In [arm64]; 0 after memory 900Gi (the most is 768Gi)`. */
export const printedFunnel = ({ types, steps }: TypeFunnel): string =>
  [
    `${types} ${types === 1 ? 'type' : 'types'}`,
    ...steps.map(
      ({ constraint, left, nearest }) => `${left} after ${constraint}${nearest === undefined ? '' : ` (${nearest})`}`,
    ),
  ].join('; ');
