import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { type AmiFamily, type EC2NodeClass } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import type { ExpressionVariables, KubeletExpressions } from '../../node-settings/kubelet-expressions.ts';
import {
  hasKubeletExpressions,
  readKubeletSettings,
  type KubeletSettings,
} from '../../node-settings/kubelet-settings.ts';
import {
  listExpressionFailures,
  printExpressionFailure,
  resolveMaxPods,
  resolveReserved,
} from '../../node-settings/resolved-kubelet.ts';
import { defaultMaxPods, maxPods } from './max-pods.ts';

type NodeKubeletSettings = {
  readonly family: AmiFamily;
  /** Network interfaces whose addresses are not for pods. */
  readonly reservedInterfaces: number;
  /** Absent where the gate `NodeClassCEL` is off. */
  readonly expressions: KubeletExpressions | undefined;
};

/**
 * The kubelet settings of the NodeClass with its expressions evaluated for the instance type.
 * @throws CloudError where `maxPods` is an expression that gives no number of pods for the type
 */
export function kubeletOfType(
  info: InstanceTypeInfo,
  nodeClass: EC2NodeClass,
  settings: NodeKubeletSettings,
): KubeletSettings {
  const written = readKubeletSettings(nodeClass);
  const { kubelet = {} } = nodeClass.spec;
  if (!hasKubeletExpressions(kubelet)) return written;
  const { expressions } = settings;
  const pods = resolveMaxPods(kubelet, expressions, variablesOfType(info, defaultMaxPods(info, settings)));
  if (typeof pods === 'object') {
    const message = `instance type ${info.InstanceType}: ${printExpressionFailure(pods)}`;
    throw new CloudError(message, { code: 'KubeletExpressionFailed', retry: 'afterSpecChange' });
  }
  const { maxPods: _written, ...others } = written;
  const limited = { ...others, ...(pods === undefined ? {} : { maxPods: pods }) };
  const resolved = maxPods(info, { ...settings, kubelet: limited });
  return { ...limited, ...resolveReserved(kubelet, expressions, variablesOfType(info, resolved)).reserved };
}

/** Why the expressions give nothing of use for the type, the first of them; `undefined` when they do. */
export function expressionComplaint(
  info: InstanceTypeInfo,
  { spec: { kubelet = {} } }: EC2NodeClass,
  settings: NodeKubeletSettings & { readonly expressions: KubeletExpressions },
): string | undefined {
  const [failure] = listExpressionFailures(kubelet, settings.expressions, {
    type: variablesOfType(info, 0),
    defaultMaxPods: defaultMaxPods(info, settings),
  });
  return failure && `${printExpressionFailure(failure)} (instance type ${info.InstanceType})`;
}

function variablesOfType(info: InstanceTypeInfo, pods: number): ExpressionVariables {
  const { VCpuInfo, MemoryInfo, NetworkInfo: network } = info;
  const card = network?.NetworkCards?.[network.DefaultNetworkCardIndex ?? 0];
  return {
    instanceType: info.InstanceType ?? '',
    vcpus: VCpuInfo?.DefaultVCpus ?? 0,
    memoryMib: MemoryInfo?.SizeInMiB ?? 0,
    defaultEnis: card?.MaximumNetworkInterfaces ?? network?.MaximumNetworkInterfaces ?? 0,
    ipsPerEni: network?.Ipv4AddressesPerInterface ?? 0,
    maxPods: pods,
  };
}
