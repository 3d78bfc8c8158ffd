import type { NodePool } from '@nodewright/apis';
import { ApiError } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { futileRecordsOn, withFutileRecords, type FutileRecord } from '../../state/futile-launches.ts';
import type { Objects } from '../../state/objects.ts';
import { reportFutileLaunches, reportUnstoredFutility } from './report.ts';

type FutileLaunchStoreDeps = { readonly objects: Objects; readonly publish: Publisher };

/**
 * Stores on NodePools which nodes were launched in vain, so that this outlives the nodes and the controller. A NodePool
 * that another client writes at the same moment gets it in the next round: the nodes say the same then.
 */
export async function storeFutileLaunches(
  deps: FutileLaunchStoreDeps,
  futile: ReadonlyMap<string, readonly FutileRecord[]>,
): Promise<void> {
  for (const [name, records] of futile) {
    const pool = deps.objects.nodePools.get(name);
    if (pool !== undefined) await store(deps, pool, records);
  }
}

async function store(
  { objects, publish }: FutileLaunchStoreDeps,
  pool: NodePool,
  records: readonly FutileRecord[],
): Promise<void> {
  const after = withFutileRecords(pool, records);
  if (after === pool) return;
  const { name } = pool.metadata;
  try {
    const before = futileRecordsOn(pool);
    await objects.nodePools.save(pool, after);
    const fresh = records.filter((each) => !before.some((other) => isSameAttempt(each, other)));
    publish(reportFutileLaunches(name, fresh));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    publish(reportUnstoredFutility(name, error));
  }
}

const isSameAttempt = (a: FutileRecord, b: FutileRecord): boolean =>
  a.schedulingClass === b.schedulingClass && a.judgedAt === b.judgedAt;
