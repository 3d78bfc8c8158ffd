import type { NodePool } from '@nodewright/apis';
import { ApiError, type Logger } from '@nodewright/runtime';
import { futileRecordsOn, withFutileRecords, type FutileRecord } from '../../state/futile-launches.ts';
import type { Objects } from '../../state/objects.ts';

type FutileLaunchStoreDeps = { readonly objects: Objects; readonly log: Logger };

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
  { objects, log }: FutileLaunchStoreDeps,
  pool: NodePool,
  records: readonly FutileRecord[],
): Promise<void> {
  const after = withFutileRecords(pool, records);
  if (after === pool) return;
  const { name } = pool.metadata;
  try {
    const before = futileRecordsOn(pool);
    await objects.nodePools.save(pool, after);
    for (const record of records.filter((each) => !before.some((other) => isSameAttempt(each, other))))
      tellOfRecord(log, name, record);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    log.debug('could not store which nodes were launched in vain', { NodePool: { name }, error });
  }
}

const isSameAttempt = (a: FutileRecord, b: FutileRecord): boolean =>
  a.schedulingClass === b.schedulingClass && a.judgedAt === b.judgedAt;

const tellOfRecord = (log: Logger, name: string, { node, why, attempts }: FutileRecord): void =>
  log.info('pods do not bind to the node that was launched for them, launching no more for such pods', {
    NodePool: { name },
    Node: { name: node },
    attempts,
    reason: why,
  });
