import { type Instant, minutes, seconds } from '@nodewright/apis';
import type { Network } from './network.ts';
import { readRouting } from './read-routing.ts';
import type { KeptVpcEndpoint } from './routing.ts';

/** How long EC2 takes to make and to delete the interfaces of an endpoint. One that is a route takes no time. */
const interfacesComeMs = minutes(1);
const interfacesGoMs = seconds(30);

type VpcEndpointState = 'pending' | 'available' | 'deleting';

/** What an endpoint is at an instant; `undefined` once it is gone. */
export function stateOfEndpoint(
  { type, createdAt, deletedAt }: KeptVpcEndpoint,
  now: Instant,
): VpcEndpointState | undefined {
  const isRoute = type === 'Gateway';
  if (deletedAt !== undefined) return isRoute || now >= deletedAt + interfacesGoMs ? undefined : 'deleting';
  return isRoute || now >= createdAt + interfacesComeMs ? 'available' : 'pending';
}

/** Lists the endpoints that are there at an instant. */
export const listEndpoints = (network: Network, now: Instant): readonly KeptVpcEndpoint[] =>
  (readRouting(network).endpoints ?? []).filter((endpoint) => stateOfEndpoint(endpoint, now) !== undefined);

/** The services that EC2 reaches by a route; S3 has endpoints of both types. */
const routedServices = ['dynamodb', 's3'];

const interfaceServices = `
  access-analyzer application-autoscaling autoscaling autoscaling-plans cloudformation cloudtrail ebs ec2 ec2messages
  ecr.api ecr.dkr ecs ecs-agent ecs-telemetry eks eks-auth elasticfilesystem elasticloadbalancing events fis kms lambda
  logs monitoring s3 secretsmanager servicequotas sns sqs ssm ssmmessages sts xray`
  .trim()
  .split(/\s+/);

export type EndpointService = {
  readonly name: string;
  readonly short: string;
  readonly types: readonly KeptVpcEndpoint['type'][];
};

/** The services of AWS in a region that take endpoints, by name. */
export const listEndpointServices = (region: string): readonly EndpointService[] =>
  [...new Set([...routedServices, ...interfaceServices])].toSorted().map((short) => ({
    name: `com.amazonaws.${region}.${short}`,
    short,
    types: [
      ...(routedServices.includes(short) ? (['Gateway'] as const) : []),
      ...(interfaceServices.includes(short) ? (['Interface'] as const) : []),
    ],
  }));
