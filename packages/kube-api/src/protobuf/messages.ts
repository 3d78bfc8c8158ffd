import { readOwn } from '@nodewright/apis';
import { messagesJson } from './messages.generated.ts';

/** How a field stands in the JSON form: by itself, in a list, in a map, or as members of its parent. */
export type FieldShape = 'list' | 'map' | 'inline';

export type MessageField = readonly [number: number, name: string, type: string, shape?: FieldShape];

type Table = {
  /** Message names by `group/version/kind`. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, readonly MessageField[]>>;
};

let table: Table | undefined;
const messageTable = (): Table => (table ??= JSON.parse(messagesJson) as Table);

/** The message that a kind is sent as. Options of a delete are the same in every group. */
export function messageOf(apiVersion: string, kind: string): string | undefined {
  const key = apiVersion.includes('/') ? `${apiVersion}/${kind}` : `/${apiVersion}/${kind}`;
  return readOwn(messageTable().kinds, kind === 'DeleteOptions' ? '/v1/DeleteOptions' : key);
}

export const fieldsOf = (message: string): readonly MessageField[] | undefined =>
  readOwn(messageTable().messages, message);
