import { partitionOfRegion } from '@nodewright/apis';
import { buildIamPolicy } from '@nodewright/manifests';
import type { CliContext } from '../../terminal/context.ts';
import type { IamPolicyFlags } from './flags.ts';

export function printIamPolicy(this: CliContext, flags: IamPolicyFlags): void {
  const { clusterName, region, accountId, parameter = [] } = flags;
  const names = {
    partition: partitionOfRegion(region).name,
    region,
    accountId,
    clusterName,
    nodeRole: flags.nodeRole ?? `KarpenterNodeRole-${clusterName}`,
    queue: flags.queue ?? clusterName,
    parameters: parameter,
  };
  const policy = buildIamPolicy(names, new Set(flags.nodeGroups ? ['nodePools', 'nodeGroups'] : ['nodePools']));
  this.process.stdout.write(`${JSON.stringify(policy, null, 2)}\n`);
}
