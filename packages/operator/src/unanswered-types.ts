import type { EC2NodeClass, NodePool } from '@nodewright/apis';
import { CloudError, type InstanceTypePort } from '@nodewright/ports';

/** Instance types as the cloud tells them, and of which NodeClasses it does not. */
export type TrackedTypes = Pick<InstanceTypePort, 'list'> & {
  /** Of each NodePool whose types could not be asked for: what came instead of an answer. */
  listUnsuppliedPools(nodePools: readonly NodePool[]): ReadonlyMap<string, string>;
};

/** Notes what the cloud refuses to this reader. What is wrong with a NodeClass itself is wrong for the controllers, too. */
export function trackUnansweredTypes(types: Pick<InstanceTypePort, 'list'>): TrackedTypes {
  const failures = new Map<string, string>();
  return {
    async list(nodeClass: EC2NodeClass, signal: AbortSignal) {
      try {
        return await types.list(nodeClass, signal);
      } catch (error) {
        if (error instanceof CloudError && error.retry !== 'afterSpecChange' && error.code !== 'SubnetsNotResolved')
          failures.set(nodeClass.metadata.name, error.message);
        throw error;
      }
    },
    listUnsuppliedPools: (nodePools) =>
      new Map(
        nodePools.flatMap(({ metadata, spec }) => {
          const failure = failures.get(spec.template.spec.nodeClassRef.name);
          return failure === undefined ? [] : [[metadata.name, failure] as const];
        }),
      ),
  };
}
