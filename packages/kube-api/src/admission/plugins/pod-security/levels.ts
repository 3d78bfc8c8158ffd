import { readOwn } from '@nodewright/apis';
import { baselineChecks } from './baseline-checks.ts';
import { restrictedChecks } from './restricted-checks.ts';
import type { SecuredPod, SecurityCheck, SecurityViolation } from './secured-pod.ts';

const securityLevels = ['privileged', 'baseline', 'restricted'] as const;
export type SecurityLevel = (typeof securityLevels)[number];

/** What a namespace asks of its pods, `restricted:latest`. */
export type SecurityPolicy = { readonly level: SecurityLevel; readonly version: string };

/** What follows from a pod that does not keep the policy. Audit annotations are not kept here. */
export type SecurityMode = 'enforce' | 'warn';

const securityLabelPrefix = 'pod-security.kubernetes.io/';

type NamespaceLabels = Readonly<Record<string, string>> | undefined;

/** A label that cannot be read asks for the highest level, as in Kubernetes: nothing slips through by a typing error. */
export function securityPolicyOf(labels: NamespaceLabels, mode: SecurityMode): SecurityPolicy {
  const level = readOwn(labels ?? {}, `${securityLabelPrefix}${mode}`) ?? 'privileged';
  const version = readOwn(labels ?? {}, `${securityLabelPrefix}${mode}-version`) ?? 'latest';
  return {
    level: securityLevels.find((each) => each === level) ?? 'restricted',
    version: isSecurityVersion(version) ? version : 'latest',
  };
}

const isSecurityVersion = (text: string): boolean => text === 'latest' || /^v1\.(0|[1-9]\d*)$/.test(text);

/** A label of a namespace that says nothing. */
export type BadSecurityLabel = { readonly key: string; readonly value: string; readonly because: string };

export function badSecurityLabels(labels: NamespaceLabels): readonly BadSecurityLabel[] {
  return ['enforce', 'audit', 'warn'].flatMap((mode) => {
    const [levelKey, versionKey] = [`${securityLabelPrefix}${mode}`, `${securityLabelPrefix}${mode}-version`];
    const [level, version] = [readOwn(labels ?? {}, levelKey), readOwn(labels ?? {}, versionKey)];
    return [
      ...(level === undefined || securityLevels.some((each) => each === level)
        ? []
        : [{ key: levelKey, value: level, because: `must be one of ${securityLevels.join(', ')}` }]),
      ...(version === undefined || isSecurityVersion(version)
        ? []
        : [{ key: versionKey, value: version, because: 'must be "latest" or "v1.x"' }]),
    ];
  });
}

/** What stands against the pod: of the higher level the rules that stand in for those of the lower one. */
export function findViolations(level: SecurityLevel, pod: SecuredPod): readonly SecurityViolation[] {
  return checksOf(level).flatMap(({ find }) => find(pod.spec ?? {}, pod) ?? []);
}

function checksOf(level: SecurityLevel): readonly SecurityCheck[] {
  if (level === 'privileged') return [];
  if (level === 'baseline') return baselineChecks;
  const replaced = new Set(restrictedChecks.map(({ replaces }) => replaces));
  return [...baselineChecks.filter(({ id }) => !replaced.has(id)), ...restrictedChecks];
}

/** `violates PodSecurity "restricted:latest": privileged (…), …`. */
export const violationText = ({ level, version }: SecurityPolicy, violations: readonly SecurityViolation[]): string =>
  `PodSecurity "${level}:${version}": ${violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')}`;
