import type { Bootstrap } from './bootstrap.ts';
import { readKubeletFlags, shellWords } from './kubelet-flags.ts';

/**
 * The last call of `/etc/eks/bootstrap.sh` in a shell script: Amazon Linux 2.
 * @see https://github.com/awslabs/amazon-eks-ami/blob/main/templates/al2/runtime/bootstrap.sh
 */
export function bootstrapOfScript(script: string): Bootstrap | undefined {
  const call = script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .findLast((line) => /^\s*[^#]*\/etc\/eks\/bootstrap\.sh\s/.test(line));
  if (call === undefined) return undefined;
  const words = shellWords(call);
  const [clusterName, ...options] = words.slice(words.indexOf('/etc/eks/bootstrap.sh') + 1);
  const extra = options[options.indexOf('--kubelet-extra-args') + 1] ?? '';
  const localDisks = options.includes('--local-disks') ? options[options.indexOf('--local-disks') + 1] : undefined;
  return {
    labels: {},
    taints: [],
    ...readKubeletFlags(shellWords(extra)),
    clusterName: clusterName ?? '',
    ...(localDisks?.startsWith('raid') === true && { usesInstanceStore: true }),
  };
}
