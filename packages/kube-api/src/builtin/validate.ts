import { readOwn } from '@nodewright/apis';
import { checkFinalizerDomains, checkMetadata } from '../schema/metadata/check-metadata.ts';
import {
  validateDnsLabel,
  validateLetterLabel,
  validatePathSegment,
  validateSubdomain,
  type NameRule,
} from '../schema/metadata/names.ts';
import type { Cause } from '../schema/cause.ts';
import type { JsonObject } from '../schema/json.ts';
import type { GroupVersionKind } from '../schema/definitions.ts';
import { addressNameProblems } from './validation/address-kinds.ts';
import { type KindCheck, kindChecks, subresourceChecks } from './kind-checks.ts';

export type BuiltinRequest = {
  /** The kind, and the minor version whose rules are in force [the newest]. */
  readonly type: GroupVersionKind & { readonly minor?: number };
  /** After defaulting. */
  readonly object: JsonObject;
  /** The stored object of an update. */
  readonly old?: JsonObject;
  readonly subresource?: string;
};

/**
 * Validates an object of a built-in kind by the rules that a real server has in code. A write to a subresource is
 * validated by the rules of the subresource.
 */
export function validateBuiltin({ type, object, old, subresource = '' }: BuiltinRequest): Cause[] {
  const key = `${type.group}/${type.kind}`;
  if (subresource === 'status')
    return [
      ...checkMetadata({ object, isNew: false, nameRule: validatePathSegment }),
      ...(readOwn(subresourceChecks, `${key}/status`) ?? noCauses)(object, old),
    ];
  const check = subresource === '' ? readOwn(kindChecks, key) : checkOfSubresource(key, subresource);
  const metadata = checkMetadata({
    object,
    isNew: old === undefined,
    nameRule: readOwn(nameRules, key) ?? validateSubdomain,
  });
  const domains = anyFinalizers.has(type.group) || key === '/Event' ? [] : checkFinalizerDomains(object);
  const { minor = Infinity } = type;
  const isKnownRule = newRules.find((rule) => rule.key === key && minor < rule.since)?.isKnown ?? (() => true);
  return [...metadata, ...domains, ...(check ?? noCauses)(object, old).filter(isKnownRule)];
}

type NewRule = { readonly key: string; readonly since: number; readonly isKnown: (cause: Cause) => boolean };

/** Rules that older minor versions do not have. */
const newRules: readonly NewRule[] = [
  {
    key: 'autoscaling/HorizontalPodAutoscaler',
    since: 36,
    isKnown: ({ field }) => field !== 'spec.scaleTargetRef.apiVersion',
  },
  {
    // A bad pod spec or claim showed when the first pod was created.
    key: 'apps/StatefulSet',
    since: 36,
    isKnown: ({ field }) =>
      !/^spec\.(template\.spec\.|volumeClaimTemplates\[\d+\]\.spec\.)/.test(field) ||
      /^spec\.template\.spec\.(restartPolicy|activeDeadlineSeconds)$/.test(field),
  },
];

/** Groups whose objects may have finalizers without a domain. */
const anyFinalizers: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'policy',
]);

const noCauses: KindCheck = () => [];

/** A subresource without rules of its own is a part of the object. */
const checkOfSubresource = (key: string, subresource: string): KindCheck | undefined =>
  readOwn(subresourceChecks, `${key}/${subresource}`) ?? readOwn(kindChecks, key);

const rbac = 'rbac.authorization.k8s.io';

const nameRules: Readonly<Record<string, NameRule>> = {
  '/Namespace': validateDnsLabel,
  '/Event': () => [],
  'events.k8s.io/Event': () => [],
  '/Service': validateLetterLabel,
  'networking.k8s.io/IPAddress': addressNameProblems,
  // The rule for the name of an APIService is one of the rules of the kind.
  'apiregistration.k8s.io/APIService': () => [],
  [`${rbac}/Role`]: validatePathSegment,
  [`${rbac}/ClusterRole`]: validatePathSegment,
  [`${rbac}/RoleBinding`]: validatePathSegment,
  [`${rbac}/ClusterRoleBinding`]: validatePathSegment,
};
