import { missingParameter, noSuchVpc } from './errors.ts';
import type { Ec2 } from './model.ts';
import { findVpc, type VpcEntry } from './vpcs.ts';

/** @throws AwsError `InvalidVpcID.NotFound` */
export function getVpc({ network }: Ec2, id: string | undefined): VpcEntry {
  if (id === undefined) throw missingParameter('vpcId');
  const vpc = findVpc(network, id);
  if (vpc === undefined) throw noSuchVpc(id);
  return vpc;
}
