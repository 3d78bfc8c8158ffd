import { candidacyOf, EvictionRules, printedBlocker } from '@nodewright/engine';
import { defaultOperatorSettings, readClusterState } from '@nodewright/operator';
import type { ForecastWorld } from '../world/forecast-world.ts';

/** What keeps each node from being disrupted now, by the name of its NodeClaim, in the words of the controllers. */
export async function findBlockers({ admin, time, readCloud }: ForecastWorld): Promise<ReadonlyMap<string, string>> {
  const { preferencePolicy, minValuesPolicy } = defaultOperatorSettings;
  const now = time.clock.now();
  const sources = {
    client: admin,
    cloud: readCloud(),
    options: { preferencePolicy, minValuesPolicy },
    defaultSpread: [],
    now,
  };
  const { disruption } = await time.finish(readClusterState(sources, new AbortController().signal));
  const question = {
    supplies: [...disruption.supplies, ...(disruption.staticSupplies ?? [])],
    queued: disruption.queued,
    rules: new EvictionRules(disruption.podDisruptionBudgets),
    disruptionClass: 'eventual',
    reason: 'Drifted',
    pauses: disruption.pauses,
    watched: disruption.watched,
    now,
  } as const;
  return new Map(
    disruption.nodes.flatMap((state) => {
      const name = state.nodeClaim?.metadata.name;
      const candidacy = candidacyOf(state, question);
      return name === undefined || candidacy.kind !== 'blocked'
        ? []
        : [[name, printedBlocker(candidacy.blocker)] as const];
    }),
  );
}
