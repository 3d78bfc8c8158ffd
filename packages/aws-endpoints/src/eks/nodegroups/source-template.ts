import type { LaunchTemplateSpecification } from '@aws-sdk/client-eks';
import { AwsError } from '../../codec/aws-error.ts';
import { isImageReference } from '../../ec2/image-reference.ts';
import type { Ec2 } from '../../ec2/model.ts';
import { type GroupPlace, invalidParameter } from '../errors.ts';
import { type AmiType, findReleaseLine } from './ami-types.ts';
import { problemOfUserData } from './merged-user-data.ts';
import type { SourceTemplate } from './node-group.ts';

/** The customer's template as it was asked for; its default version when none is named. @throws AwsError */
export function sourceOf(asked: LaunchTemplateSpecification, ec2: Ec2, place: GroupPlace): SourceTemplate {
  const { id, name } = asked;
  if ((id === undefined) === (name === undefined)) {
    throw invalidParameter(place, 'launchTemplate takes an id or a name: exactly one of them');
  }
  try {
    const key = {
      ...(id !== undefined && { LaunchTemplateId: id }),
      ...(name !== undefined && { LaunchTemplateName: name }),
    };
    const template = ec2.templates.find(key);
    const { number } = ec2.templates.version({ ...key, Version: asked.version ?? '$Default' });
    return { id: template.id, name: template.name, version: String(number) };
  } catch (error) {
    if (error instanceof AwsError) throw invalidParameter(place, error.message);
    throw error;
  }
}

/** Settings that belong to EKS, and must not be in a customer's template. */
export function checkSource(source: SourceTemplate, ec2: Ec2, place: GroupPlace): void {
  const { data } = ec2.templates.version({ LaunchTemplateId: source.id, Version: source.version });
  const refuse = (what: string): never => {
    throw invalidParameter(place, `Launch template ${source.name} must not specify ${what}`);
  };
  if (data.NetworkInterfaces?.some(({ SubnetId }) => SubnetId !== undefined) === true) refuse('a subnet');
  if (data.IamInstanceProfile !== undefined) refuse('an instance profile');
  if (data.InstanceInitiatedShutdownBehavior !== undefined) refuse('a shutdown behavior');
  if (data.ImageId !== undefined && isImageReference(data.ImageId)) refuse('its image by a parameter, but by its id');
  if (data.HibernationOptions !== undefined) refuse('hibernation options');
}

/** EKS adds to what the customer's template tells nodes, unless they boot from an image of the customer's. @throws AwsError */
export function checkSourceUserData(source: SourceTemplate, amiType: AmiType, ec2: Ec2, place: GroupPlace): void {
  const { data } = ec2.templates.version({ LaunchTemplateId: source.id, Version: source.version });
  if (data.ImageId !== undefined) return;
  const problem = problemOfUserData(data.UserData, findReleaseLine(amiType)?.family);
  if (problem !== undefined) throw invalidParameter(place, problem);
}
