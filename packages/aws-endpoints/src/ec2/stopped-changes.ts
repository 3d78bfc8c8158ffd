import type { ModifyInstanceAttributeRequest } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { typeNamed } from '../catalogue/catalogue.ts';
import type { Ec2Instance, LaunchSettings } from './instance.ts';
import { checkImageArchitecture, checkUserDataSize } from './launch-settings.ts';
import type { Ec2 } from './model.ts';

/** What EC2 changes of a stopped instance only; its next start has it. */
export type StoppedChange = Partial<Pick<LaunchSettings, 'instanceType' | 'userData'>>;

/** @throws AwsError for an instance that is not stopped, or a value that its image does not go with */
export function readStoppedChanges(
  ec2: Ec2,
  instance: Ec2Instance,
  request: ModifyInstanceAttributeRequest,
): readonly StoppedChange[] {
  const instanceType = request.InstanceType?.Value ?? valueNamed(request, 'instanceType');
  const given = request.UserData?.Value;
  const userData = given === undefined ? valueNamed(request, 'userData') : Buffer.from(given).toString('base64');
  const changes: readonly StoppedChange[] = [
    ...(instanceType === undefined ? [] : [{ instanceType }]),
    ...(userData === undefined ? [] : [{ userData }]),
  ];
  if (changes.length > 0) requireStopped(instance);
  if (instanceType !== undefined) checkNewType(ec2, instance, instanceType);
  checkUserDataSize(userData);
  return changes;
}

const valueNamed = ({ Attribute, Value }: ModifyInstanceAttributeRequest, name: string): string | undefined =>
  Attribute === name ? Value : undefined;

function requireStopped({ id, state }: Ec2Instance): void {
  if (state !== 'stopped')
    throw new AwsError('IncorrectInstanceState', `The instance '${id}' is not in the 'stopped' state.`);
}

function checkNewType({ images, clock }: Ec2, { settings }: Ec2Instance, instanceType: string): void {
  const type = typeNamed(instanceType);
  if (type === undefined)
    throw new AwsError('InvalidInstanceAttributeValue', `Invalid value '${instanceType}' for InstanceType.`);
  const [image] = images.withIds([settings.imageId], clock.now());
  if (image !== undefined) checkImageArchitecture(type, image);
}
