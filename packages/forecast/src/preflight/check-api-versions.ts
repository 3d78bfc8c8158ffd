import { byText, type KubernetesObject, type ResourceType, byTextOf } from '@nodewright/apis';
import type { UpgradeInsight } from '@nodewright/provider-aws';
import { ApiError, type KubernetesClient, listAll } from '@nodewright/runtime';
import type { OrUnread } from '../snapshot/unread.ts';
import { readMinorNumber } from '../versions/minors.ts';
import type { PreflightFinding } from './preflight-finding.ts';

/** Versions that an API server stopped to serve, and the minor from which on. */
const removedFrom: ReadonlyMap<string, number> = new Map([
  ['autoscaling/v2beta1', 25],
  ['autoscaling/v2beta2', 26],
  ['batch/v1beta1', 25],
  ['discovery.k8s.io/v1beta1', 25],
  ['flowcontrol.apiserver.k8s.io/v1beta1', 26],
  ['flowcontrol.apiserver.k8s.io/v1beta2', 29],
  ['flowcontrol.apiserver.k8s.io/v1beta3', 32],
  ['policy/v1beta1', 25],
  ['storage.k8s.io/v1beta1', 27],
]);

const movedKind = (group: string, plural: string, kind: string): ResourceType => ({
  group,
  version: 'v1',
  plural,
  kind,
  namespaced: !/^(flowschemas|prioritylevel)/.test(plural),
});

/** Kinds that had such versions. */
export const movedKinds: readonly ResourceType[] = [
  { ...movedKind('autoscaling', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'), version: 'v2' },
  movedKind('batch', 'cronjobs', 'CronJob'),
  movedKind('flowcontrol.apiserver.k8s.io', 'flowschemas', 'FlowSchema'),
  movedKind('flowcontrol.apiserver.k8s.io', 'prioritylevelconfigurations', 'PriorityLevelConfiguration'),
  movedKind('policy', 'poddisruptionbudgets', 'PodDisruptionBudget'),
];

type FieldOwner = { readonly manager?: string; readonly apiVersion?: string };

/** A kind that is not served has no written objects. */
const listServed = async (client: KubernetesClient, type: ResourceType): Promise<readonly KubernetesObject[]> => {
  try {
    return (await listAll(client, type)).items;
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === 404) return [];
    throw failure;
  }
};

/** Who last wrote objects by a version that the new minor does not serve, as the owners of their fields tell. */
export async function checkWrittenVersions(
  client: KubernetesClient,
  { to, orUnread }: { readonly to: string; readonly orUnread: OrUnread },
): Promise<readonly PreflightFinding[]> {
  const writers = new Map<string, Set<string>>();
  for (const type of movedKinds) {
    const found = await orUnread<readonly KubernetesObject[]>(`writers of ${type.plural}`, [], () =>
      listServed(client, type),
    );
    for (const { metadata } of found) {
      for (const { manager = 'an unknown client', apiVersion = '' } of (metadata.managedFields ??
        []) as readonly FieldOwner[]) {
        if ((removedFrom.get(apiVersion) ?? Infinity) > (readMinorNumber(to) ?? 0)) continue;
        const about = `${apiVersion} ${type.kind}`;
        writers.set(about, (writers.get(about) ?? new Set()).add(`${manager} on ${metadata.name}`));
      }
    }
  }
  return [...writers].toSorted(byTextOf(([about]) => about)).map(([about, all]) => ({
    check: 'api',
    about,
    verdict: 'blocked',
    says: `is not served by ${to}, and is written by ${[...all].toSorted(byText).slice(0, 3).join(', ')}`,
    instead: 'write these objects by the current version',
  }));
}

/** What EKS itself found. */
export const checkEksInsights = (insights: readonly UpgradeInsight[]): readonly PreflightFinding[] =>
  insights
    .filter(({ status }) => status === 'ERROR' || status === 'WARNING')
    .map(({ name, status, reason }) => ({
      check: 'api',
      about: `EKS insight ${name}`,
      verdict: status === 'ERROR' ? 'blocked' : 'attention',
      says: reason,
    }));
