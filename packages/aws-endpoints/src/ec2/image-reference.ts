import { invalidValue } from './errors.ts';

const imageReferencePrefix = 'resolve:ssm:';

/** Whether an image is named by a parameter that holds its id: `resolve:ssm:/aws/service/...`. */
export const isImageReference = (imageId: string): boolean => imageId.startsWith(imageReferencePrefix);

type Parameters = { readonly parameter: (name: string) => string | undefined };

/**
 * The id that an image is asked for by, or that the parameter holds it is asked for by.
 * @throws AwsError `InvalidParameterValue` when there is no such parameter
 */
export function imageIdOf(asked: string, { parameter }: Parameters): string {
  if (!isImageReference(asked)) return asked;
  const id = parameter(asked.slice(imageReferencePrefix.length));
  if (id === undefined)
    throw invalidValue(`ImageId is ${asked}, and there is no such parameter in the Parameter Store.`);
  return id;
}
