import { byTextOf, karpenterLabels, kubernetesLabels, readOwn } from '@nodewright/apis';
import {
  requirementsIntersect,
  admitsRequirement,
  printRequirement,
  type Requirement,
  type Requirements,
} from '@nodewright/requirements';
import type { AttachedVolume } from '../../volumes/attached-volumes.ts';
import { printedPort, takenPort, type PodHostPort } from '../../pods/host-ports.ts';
import { fitsRow, type ResourceRow } from '../../instance-types/resource-rows.ts';
import { printedAmount } from '../../instance-types/resources.ts';
import { countsByDriver, hasRoomFor } from '../types/type-filter.ts';
import type { TypeOption } from '../types/type-option.ts';
import { cheapestPrice } from '../types/type-table.ts';
import { printedPodFix, type Fix } from './fix.ts';
import { endOfShortage, printedShortage } from './shortage.ts';

/** What instance types are compared with. A list names the criteria that no type meets together. */
export type TypeCriterion = 'requirements' | 'resources' | 'offering';

/** How one constraint narrows the instance types. */
export type EliminationStep = {
  /** The constraint as text: `memory 900Gi`, `kubernetes.io/arch In [arm64]`. */
  readonly constraint: string;
  /** How many types are left after it. */
  readonly left: number;
  /** Where none is left: the nearest possible value. */
  readonly nearest?: string;
  /** Where none is left: a change that would leave some types. */
  readonly fix?: Fix;
};

/** How constraints eliminate the types of a pool, one after the other, up to the one that leaves none. */
export type TypeElimination = { readonly types: number; readonly steps: readonly EliminationStep[] };

/** Where a requirement on a label comes from. */
export type RequirementSource = 'pod' | 'volume' | 'topology' | 'NodePool';

export type TypeDemand = {
  /** Requirements that the types are known to meet. */
  readonly before: Requirements;
  readonly requirements: Requirements;
  /** Where the requirement on a label comes from. */
  readonly askerOf: (key: string) => RequirementSource;
  readonly total: ResourceRow;
  readonly attached: readonly AttachedVolume[];
  readonly hostPorts: readonly PodHostPort[];
  /** Names and amounts of what is asked, in the order of the row. */
  readonly names: readonly string[];
};

/** For a constraint that leaves no type: the nearest possible value, and a change that would leave some types. */
type EliminationEnd = Pick<EliminationStep, 'nearest' | 'fix'>;

type TypeConstraint = {
  readonly text: string;
  readonly admits: (option: TypeOption) => boolean;
  readonly end: (before: readonly TypeOption[]) => EliminationEnd;
};

/** The elimination of types by a demand. Constraints that eliminate nothing are left out. */
export function eliminateTypes(options: readonly TypeOption[], demand: TypeDemand): TypeElimination {
  const steps: EliminationStep[] = [];
  const types = typeNamesOf(options).length;
  let left = options;
  let before = types;
  for (const { text, admits, end } of typeConstraintsOf(demand, options)) {
    const kept = left.filter(admits);
    if (kept.length === left.length) continue;
    const count = typeNamesOf(kept).length;
    if (count < before) steps.push({ constraint: text, left: count, ...(count === 0 ? end(left) : {}) });
    left = kept;
    before = count;
    if (left.length === 0) break;
  }
  return { types, steps };
}

function* typeConstraintsOf(demand: TypeDemand, options: readonly TypeOption[]): Generator<TypeConstraint> {
  const { before, requirements, total, names } = demand;
  const asked = [...requirements.values()].filter((r) => before.get(r.key) !== r);
  for (const r of asked.toSorted(byTextOf(({ key }) => key))) yield onLabel(r, demand.askerOf(r.key));
  for (const [index, name] of [...names.entries()].toSorted(byTextOf(([, name]) => name))) {
    const amount = total[index] ?? 0;
    const isOverdrawn = options.some(({ available }) => (available[index] ?? 0) < 0);
    if (amount > 0 || isOverdrawn) yield onResource(name, index, amount);
  }
  for (const [driver, count] of countsByDriver(demand.attached)) yield onVolumes(driver, count);
  for (const port of demand.hostPorts) yield onHostPort(port);
  yield onOffering(demand);
}

const onLabel = (r: Requirement, asker: RequirementSource): TypeConstraint => ({
  text: `${printRequirement(r)}${printedSources[asker]}`,
  admits: ({ type }) => admitsRequirement(type.requirements, r),
  end: (types) => ({
    nearest: `there is ${valuesOfTypes(types, r.key)}${absentLabelReason(r, types)}`,
    ...fixOfLabel(r.key, asker),
  }),
});

/** Types may be sold in a zone and be of no use there. */
function absentLabelReason(r: Requirement, types: readonly TypeOption[]): string {
  if (r.key !== kubernetesLabels.zone) return '';
  const cause = printedShortage(
    types.map(({ type }) => type),
    new Map([[r.key, r]]),
  );
  return cause === undefined ? '' : `; ${cause}`;
}

const printedSources: Readonly<Record<RequirementSource, string>> = {
  pod: '',
  NodePool: '',
  volume: ' of its volumes',
  topology: ' of its topology rules',
};

function fixOfLabel(key: string, asker: RequirementSource): Pick<EliminationEnd, 'fix'> {
  if (asker === 'topology') return {};
  return { fix: asker === 'volume' ? { kind: 'elsewhere', key } : { kind: 'label', of: asker, key } };
}

const onResource = (name: string, index: number, amount: number): TypeConstraint => ({
  text: amount === 0 ? `${name} of daemons` : `${name} ${printedAmount(name, amount)}`,
  admits: ({ available }) => (available[index] ?? 0) >= amount,
  end: (types) => {
    const most = types.reduce<TypeOption | undefined>(
      (best, each) => ((each.available[index] ?? 0) > (best?.available[index] ?? -Infinity) ? each : best),
      undefined,
    );
    const room = Math.max(0, most?.available[index] ?? 0);
    const taken = readOwn(most?.daemons.requests, name) ?? 0;
    const beside = taken === 0 ? '' : `, daemons take ${printedAmount(name, taken)}`;
    const slip = name === 'cpu' && amount >= wholeMillion ? `, did you mean ${amount / 1000}m?` : '';
    const fix = { kind: 'request', resource: name, most: room } as const;
    return {
      nearest: `${room === 0 ? 'there is none' : `the most is ${printedAmount(name, room)}`}${beside}${slip}`,
      ...(amount === 0 ? {} : { fix }),
    };
  },
});

/** A million cores, in millicores: the request uses the wrong unit. */
const wholeMillion = 1_000_000_000;

const onVolumes = (driver: string, count: number): TypeConstraint => ({
  text: `${count} volumes of ${driver}`,
  admits: ({ type }) => hasRoomFor(type, new Map([[driver, count]])),
  end: (types) => {
    const most = types.reduce((largest, { type }) => Math.max(largest, type.attachLimits?.get(driver) ?? 0), 0);
    return { nearest: `the most is ${most}`, fix: { kind: 'volumes', driver, most } };
  },
});

const onHostPort = (port: PodHostPort): TypeConstraint => ({
  text: `host port ${printedPort(port)}`,
  admits: ({ daemons }) => takenPort([port], daemons.hostPorts) === undefined,
  end: () => ({ nearest: 'a daemon has it', fix: { kind: 'hostPort', port } }),
});

/** The last constraint: an available offering within all requirements. */
export const offersCriterion = 'what can be bought there now';

const onOffering = ({ before, requirements, askerOf }: TypeDemand): TypeConstraint => ({
  text: offersCriterion,
  admits: ({ type }) => cheapestPrice(type, requirements) !== Infinity,
  end: (options) => {
    const types = options.map(({ type }) => type);
    const until = endOfShortage(types, requirements);
    const cause = printedShortage(types, requirements);
    if (until !== undefined)
      return { ...(cause === undefined ? {} : { nearest: cause }), fix: { kind: 'wait', until } };
    const isSold = (key: string): boolean => {
      const wider = withoutConstraint(requirements, key, before);
      return types.some((type) => cheapestPrice(type, wider) !== Infinity);
    };
    const key = soldBy.find((each) => requirements.get(each) !== before.get(each) && isSold(each));
    return {
      nearest: cause ?? `${someNames(options)} ${typeNamesOf(options).length === 1 ? 'is' : 'are'} not sold that way`,
      ...(key === undefined ? {} : fixOfLabel(key, askerOf(key))),
    };
  },
});

/** What offerings of one type differ in. */
const soldBy = [karpenterLabels.capacityType, kubernetesLabels.zone, kubernetesLabels.zoneId];

/** The requirements with the label as it was before this constraint. */
function withoutConstraint(requirements: Requirements, key: string, before: Requirements): Requirements {
  const wider = new Map(requirements);
  const was = before.get(key);
  if (was === undefined) wider.delete(key);
  else wider.set(key, was);
  return wider;
}

const mostNamesInElimination = 3;

function valuesOfTypes(types: readonly TypeOption[], key: string): string {
  const values = new Set(types.flatMap(({ type }) => [...(type.requirements.get(key)?.values ?? [])]));
  const sorted = [...values].toSorted();
  if (sorted.length <= mostNamesInElimination || !sorted.every((value) => /^\d+$/.test(value)))
    return printedTypeNames(sorted, `no ${key}`);
  const numbers = sorted.map(Number);
  return `${Math.min(...numbers)} to ${Math.max(...numbers)}`;
}

const someNames = (types: readonly TypeOption[]): string => printedTypeNames(typeNamesOf(types));

/** Each type once, be it several options. */
const typeNamesOf = (options: readonly TypeOption[]): readonly string[] => [
  ...new Set(options.map(({ type }) => type.name)),
];

function printedTypeNames(names: readonly string[], none = ''): string {
  if (names.length <= mostNamesInElimination) return names.join(', ') || none;
  const more = names.length - mostNamesInElimination;
  return `${names.slice(0, mostNamesInElimination).join(', ')} and ${more} ${more === 1 ? 'other' : 'others'}`;
}

/**
 * Which criteria no option meets: a single one if that suffices, else the first pair that is
 * never met together, else all three.
 */
export function unmetCriteria(
  options: readonly TypeOption[],
  demand: Pick<TypeDemand, 'requirements' | 'total'>,
): readonly TypeCriterion[] {
  const verdicts = options.map(({ type, available }) => ({
    requirements: requirementsIntersect(demand.requirements, type.requirements),
    resources: fitsRow(demand.total, available),
    offering: cheapestPrice(type, demand.requirements) !== Infinity,
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

/** The change that would leave some types after all constraints. */
export const fixOfElimination = ({ steps }: TypeElimination): Fix | undefined => steps.at(-1)?.fix;

/** `412 types; 96 after kubernetes.io/arch In [arm64]; 0 after memory 900Gi (the most is 768Gi); fix: ask for ...`. */
export function printedElimination(elimination: TypeElimination): string {
  const { types, steps } = elimination;
  const fix = fixOfElimination(elimination);
  const advice = fix === undefined ? undefined : printedPodFix(fix);
  return [
    `${types} ${types === 1 ? 'type' : 'types'}`,
    ...steps.map(
      ({ constraint, left, nearest }) => `${left} after ${constraint}${nearest === undefined ? '' : ` (${nearest})`}`,
    ),
    ...(advice === undefined ? [] : [`fix: ${advice}`]),
  ].join('; ');
}
