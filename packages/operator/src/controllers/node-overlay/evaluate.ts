import type { NodePool } from '@nodewright/apis';
import { evaluateOverlays, type OverlayVerdict, type PoolSupply } from '@nodewright/engine';
import { CloudError, type InstanceTypePort } from '@nodewright/ports';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import type { StandingOverlays } from '../../state/overlaid-types.ts';

export type EvaluationSources = { readonly objects: Objects; readonly instanceTypes: Pick<InstanceTypePort, 'list'> };

export type OverlayEvaluationRound = {
  readonly standing: StandingOverlays;
  /** Of every overlay, by name. */
  readonly verdicts: ReadonlyMap<string, OverlayVerdict>;
  /** Pools whose types could not be listed: nothing is launched from them until they can. */
  readonly failed: readonly { readonly nodePool: NodePool; readonly error: CloudError }[];
};

/** Holds every overlay against every pool that could be launched from, as the cloud describes it. */
export async function evaluateAllOverlays(
  sources: EvaluationSources,
  signal: AbortSignal,
): Promise<OverlayEvaluationRound> {
  const { supplies, failed } = await observe(sources, signal);
  const { accepted, verdicts } = evaluateOverlays(sources.objects.nodeOverlays.list(), supplies);
  const pools = new Set(supplies.map(({ nodePool }) => nodePool.metadata.name));
  return { standing: { accepted, pools }, verdicts, failed };
}

async function observe(
  { objects, instanceTypes }: EvaluationSources,
  signal: AbortSignal,
): Promise<{ readonly supplies: readonly PoolSupply[]; readonly failed: OverlayEvaluationRound['failed'] }> {
  const supplies: PoolSupply[] = [];
  const failed: OverlayEvaluationRound['failed'][number][] = [];
  for (const nodePool of objects.nodePools.list()) {
    const { nodeClassRef } = nodePool.spec.template.spec;
    const nodeClass = isManagedNodeClass(nodeClassRef) ? objects.nodeClasses.get(nodeClassRef.name) : undefined;
    // Before its subnets are known there is nothing to list; the class tells when they are.
    if ((nodeClass?.status?.subnets ?? []).length === 0 || nodeClass === undefined) continue;
    try {
      supplies.push({ nodePool, instanceTypes: await instanceTypes.list(nodeClass, signal) });
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      failed.push({ nodePool, error });
    }
  }
  return { supplies, failed };
}
