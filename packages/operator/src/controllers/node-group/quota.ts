import type { ScalingGroup } from '@nodewright/ports';

/** What the surge takes of the account's limit on running On-Demand instances. How much of it is free, EC2 does not tell. */
export type QuotaNeed = {
  readonly vcpus: number;
  /** Name and code in Service Quotas. */
  readonly name: string;
  readonly code: string;
};

/** Instance families by the beginning of their names; the rest is counted together. */
const families: readonly (readonly [RegExp, string, string])[] = [
  [/^(g\d|vt)/, 'Running On-Demand G and VT instances', 'L-DB2E81BA'],
  [/^p\d/, 'Running On-Demand P instances', 'L-417A185B'],
  [/^x\d/, 'Running On-Demand X instances', 'L-7295265B'],
  [/^f\d/, 'Running On-Demand F instances', 'L-74FC7D96'],
  [/^inf/, 'Running On-Demand Inf instances', 'L-1945791B'],
  [/^trn/, 'Running On-Demand Trn instances', 'L-2C3B7624'],
  [/^dl/, 'Running On-Demand DL instances', 'L-6E869C2A'],
  [/^u-/, 'Running On-Demand High Memory instances', 'L-43DA4232'],
];

const standard = ['', 'Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances', 'L-1216C47A'] as const;

export const typesOf = ({ template, instanceTypes }: ScalingGroup): readonly string[] =>
  instanceTypes.length > 0 ? instanceTypes : template?.instanceType === undefined ? [] : [template.instanceType];

/** By the largest of the group's types; nothing where the types are not known, or nothing is added. */
export function quotaNeed(
  scaling: ScalingGroup,
  surge: number,
  processors: ReadonlyMap<string, number>,
): QuotaNeed | undefined {
  const [largest] = typesOf(scaling)
    .flatMap((type) => ({ type, vcpus: processors.get(type) ?? 0 }))
    .toSorted((a, b) => b.vcpus - a.vcpus || (a.type < b.type ? -1 : 1));
  if (largest === undefined || largest.vcpus === 0 || surge === 0) return undefined;
  const [, name, code] = families.find(([names]) => names.test(largest.type)) ?? standard;
  return { vcpus: largest.vcpus * surge, name, code };
}
