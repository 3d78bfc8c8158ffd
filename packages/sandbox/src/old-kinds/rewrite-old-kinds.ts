import {
  awsNodeTemplates,
  ec2NodeClasses,
  type KubernetesObject,
  nodePools,
  provisioners,
  type ResourceType,
  toTimestamp,
} from '@nodewright/apis';
import {
  ClusterControlPlane,
  type ClusterControllerOptions,
  type Stoppable,
  unlessGone,
} from '@nodewright/cluster-sim';
import { type OldAndNew, planRewrite, type RewritePlan } from './plan-rewrites.ts';
import type { RewriteTarget } from './serve-old-kinds.ts';

type OldObject = KubernetesObject & { readonly status?: unknown };

const rewrittenKinds: readonly { readonly oldType: ResourceType; readonly newType: ResourceType }[] = [
  { oldType: awsNodeTemplates, newType: ec2NodeClasses },
  { oldType: provisioners, newType: nodePools },
];

export type OldKindRewriter = Stoppable & {
  /** Looks at everything once more: the images of Ubuntu follow the control plane. */
  recheck(): void;
};

/** Makes an EC2NodeClass of every AWSNodeTemplate and a NodePool of every Provisioner, and gives them its status. */
export function startOldKindRewriter(options: ClusterControllerOptions & RewriteTarget): OldKindRewriter {
  const control = new ClusterControlPlane(options);
  const { watches } = control;
  const olds = (): readonly KubernetesObject[] => rewrittenKinds.flatMap(({ oldType }) => watches.of(oldType).all());

  const keys = control.controller('old kinds', async (key) => {
    const [kind, name = ''] = key.split(' ');
    const types = rewrittenKinds.find(({ oldType }) => oldType.kind === kind);
    if (types === undefined) return undefined;
    const pair = { ...types, old: watches.of(types.oldType).get(name), made: watches.of(types.newType).get(name) };
    const { clusterName, kubernetesVersion } = options;
    const plan = planRewrite(pair, olds(), { clusterName, kubernetesVersion: kubernetesVersion() });
    await perform(options, pair, plan);
    await showStatus(options, pair, plan);
    return undefined;
  });
  const recheck = (): void => {
    for (const { kind, metadata } of olds()) keys.add(`${kind} ${metadata.name}`);
  };
  for (const { oldType, newType } of rewrittenKinds) {
    watches.of(oldType).onChange((before, after) => {
      keys.add(`${oldType.kind} ${(after ?? before)?.metadata.name}`);
      recheck();
    });
    watches.of(newType).onChange((before, after) => {
      const { name, ownerReferences = [] } = (after ?? before)?.metadata ?? { name: '' };
      const isOurs = ownerReferences.some(({ kind }) => kind === oldType.kind);
      if (isOurs || watches.of(oldType).get(name) !== undefined) keys.add(`${oldType.kind} ${name}`);
    });
  }
  control.open();
  return { stop: () => control.stop(), recheck };
}

async function perform(
  { client }: ClusterControllerOptions,
  { newType, made }: OldAndNew,
  plan: RewritePlan,
): Promise<void> {
  if (plan.kind === 'create') await client.create(newType, plan.object);
  if (plan.kind === 'update') await unlessGone(client.update(newType, plan.object));
  if (plan.kind !== 'delete') return;
  const key = { name: made?.metadata.name ?? '' };
  await unlessGone(client.delete(newType, key, { preconditions: { uid: plan.uid } }));
}

/** The status of the object of v1, or what keeps it from being there. */
async function showStatus(
  { client, clock }: ClusterControllerOptions,
  { oldType, old, made }: OldAndNew,
  plan: RewritePlan,
) {
  if (old === undefined || old.metadata.deletionTimestamp !== undefined) return;
  const problem = plan.kind === 'leave' ? plan.problem : undefined;
  const wanted = problem === undefined ? statusOf(made) : notRewrittenStatus(problem, toTimestamp(clock.now()));
  if (wanted === undefined || withoutTimes(wanted) === withoutTimes(statusOf(old))) return;
  const written: OldObject = { ...old, status: wanted };
  await unlessGone(client.update(oldType, written, { subresource: 'status' }));
}

const statusOf = (object: OldObject | undefined): unknown => object?.status;

const notRewrittenStatus = (message: string, lastTransitionTime: string) => ({
  conditions: [{ type: 'Ready', status: 'False', reason: 'NotRewritten', message, lastTransitionTime }],
});

const withoutTimes = (status: unknown): string =>
  JSON.stringify(status, (key, value: unknown) => (key === 'lastTransitionTime' ? undefined : value)) ?? '';
