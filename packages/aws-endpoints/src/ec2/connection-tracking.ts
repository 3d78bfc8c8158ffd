import type { ConnectionTrackingSpecificationRequest } from '@aws-sdk/client-ec2';
import { invalidValue } from './errors.ts';
import type { ConnectionTracking, LaunchedInterface } from './instance.ts';

/**
 * The seconds that EC2 allows.
 * @see https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_ConnectionTrackingSpecificationRequest.html
 */
const secondsAllowed: Readonly<Record<keyof ConnectionTracking, readonly [least: number, most: number]>> = {
  TcpEstablishedTimeout: [60, 432_000],
  UdpStreamTimeout: [60, 180],
  UdpTimeout: [30, 60],
};

/**
 * How long a new interface tracks idle connections.
 * @throws AwsError for a time that EC2 does not allow
 */
export function readConnectionTracking(
  wanted: ConnectionTrackingSpecificationRequest | undefined,
): Pick<LaunchedInterface, 'tracking'> {
  if (wanted === undefined) return {};
  const { TcpEstablishedTimeout, UdpStreamTimeout, UdpTimeout } = wanted;
  const given = {
    ...checkSeconds('TcpEstablishedTimeout', TcpEstablishedTimeout),
    ...checkSeconds('UdpStreamTimeout', UdpStreamTimeout),
    ...checkSeconds('UdpTimeout', UdpTimeout),
  };
  return Object.keys(given).length === 0 ? {} : { tracking: given };
}

function checkSeconds(name: keyof ConnectionTracking, seconds: number | undefined): ConnectionTracking {
  if (seconds === undefined) return {};
  const [least, most] = secondsAllowed[name];
  if (seconds < least || seconds > most)
    throw invalidValue(`Invalid value '${seconds}' for ${name}. It must be between ${least} and ${most} seconds.`);
  return { [name]: seconds };
}
