import { AwsError } from '../codec/aws-error.ts';
import type { Ec2 } from './model.ts';
import { readRouting } from './read-routing.ts';
import type { Routing } from './routing.ts';

/** Changes lists of the routing, and keeps them. */
export function changeRouting(ec2: Ec2, change: (routing: Routing) => Partial<Routing>): void {
  const routing = readRouting(ec2.network);
  ec2.network.routing = { ...routing, ...change(routing) };
  ec2.keepNetwork();
}

/** Keeps the routing as it is, before a change of what it is derived from. */
export const keepRouting = (ec2: Ec2): void => changeRouting(ec2, () => ({}));

/** An error of EC2 about something that does not exist. */
export const createNotFoundError = (code: string, what: string, id: string): AwsError =>
  new AwsError(code, `The ${what} '${id}' does not exist`);

export const noSuchRouteTable = (id: string): AwsError =>
  createNotFoundError('InvalidRouteTableID.NotFound', 'routeTable ID', id);

export const noSuchInternetGateway = (id: string): AwsError =>
  createNotFoundError('InvalidInternetGatewayID.NotFound', 'internetGateway ID', id);

export const noSuchEgressGateway = (id: string): AwsError =>
  createNotFoundError('InvalidGatewayID.NotFound', 'egressOnlyInternetGateway ID', id);

export const noSuchNatGateway = (id: string): AwsError =>
  new AwsError('NatGatewayNotFound', `NatGateway ${id} was not found`);

export const noSuchAllocation = (id: string): AwsError =>
  createNotFoundError('InvalidAllocationID.NotFound', 'allocation ID', id);
