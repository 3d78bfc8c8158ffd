import type { GetConsoleOutputRequest, GetConsoleOutputResult } from '@aws-sdk/client-ec2';
import { missingParameter } from './errors.ts';
import type { Ec2Instance } from './instance.ts';
import { knownInstances } from './instance-operations.ts';
import type { Ec2 } from './model.ts';

/** Tells what an instance wrote while it booted. One that is still pending has written nothing. */
export function getConsoleOutput(ec2: Ec2, request: GetConsoleOutputRequest): GetConsoleOutputResult {
  if (request.InstanceId === undefined) throw missingParameter('InstanceId');
  const [instance] = knownInstances(ec2, [request.InstanceId]);
  if (instance === undefined) throw new Error(`the instance ${request.InstanceId} was found and is gone`);
  const told = { InstanceId: instance.id, Timestamp: new Date(ec2.clock.now()) };
  if (instance.state === 'pending') return told;
  return { ...told, Output: Buffer.from(bootLines(ec2, instance)).toString('base64') };
}

function bootLines(ec2: Ec2, { id, settings, zone, privateDnsName }: Ec2Instance): string {
  const { name = settings.imageId } = ec2.images.buildOf(settings.imageId, '') ?? {};
  return [
    `[    0.000000] ${settings.instanceType} in ${zone} boots ${name} (${settings.imageId})`,
    `[    1.204318] ${privateDnsName}: instance ${id}`,
    `[    9.871205] cloud-init: user data of ${decodedLength(settings.userData)} bytes`,
    '',
  ].join('\r\n');
}

const decodedLength = (userData = ''): number => Buffer.from(userData, 'base64').length;
