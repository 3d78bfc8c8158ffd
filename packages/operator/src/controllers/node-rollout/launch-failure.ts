import { conditionOf, type NodeClaim } from '@nodewright/apis';
import type { LaunchFailure } from '@nodewright/engine';

/** Codes by which EC2 refuses an image itself: it is not there, or it does not boot on the instance types. */
const imageCodes = [
  'InvalidAMIID.Malformed',
  'InvalidAMIID.NotFound',
  'InvalidAMIID.Unavailable',
  'UnsupportedImage',
  'InvalidAMIAttributeItemValue',
] as const;

/** Words of EC2 about an image that does not fit the instance types. */
const imageWords = /architecture '[^']+' of the specified|boot mode/i;

/** Why a claim has no instance yet, as its condition tells it; absent where no launch was refused. */
export function launchFailureOf(claim: NodeClaim): LaunchFailure | undefined {
  const launched = conditionOf(claim, 'Launched');
  const { status, reason = '', message = '' } = launched ?? {};
  if (status === 'True' || message === '' || quietReasons.has(reason)) return undefined;
  const code = imageCodes.find((each) => message.includes(each));
  const isOfImage = code !== undefined || imageWords.test(message);
  return { code: code ?? reason, isOfImage };
}

/** Reasons of a claim that only waits. */
const quietReasons: ReadonlySet<string> = new Set([
  'AwaitingReconciliation',
  'RolloutHolds',
  'NodeClassReadinessUnknown',
]);
