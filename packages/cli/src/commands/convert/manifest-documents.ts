import type { KubernetesObject } from '@nodewright/apis';
import { parseManifests } from '@nodewright/runtime';
import { Document, isMap, isScalar, isSeq, parseAllDocuments, type ParsedNode, visit } from 'yaml';
import type { ManifestText } from './manifest-texts.ts';

/** An object of a manifest together with the YAML it was written in, remarks and all. */
export type ManifestDocument = {
  /** `basic.yaml: document 2, EC2NodeClass default`. */
  readonly place: string;
  readonly object: KubernetesObject;
  readonly document: Document;
  /** How the text is laid out, as far as printing can follow. */
  readonly layout: { readonly lineWidth: 0; readonly indentSeq: boolean; readonly flowCollectionPadding: boolean };
};

/**
 * The objects of a text, `List`s taken apart.
 * @throws ManifestError naming every document that is no object of Kubernetes
 */
export function manifestDocuments({ source, text }: ManifestText): readonly ManifestDocument[] {
  parseManifests(text, source); // complains about whatever cannot be read
  const layout = layoutOf(text);
  const documents = parseAllDocuments(text, { version: '1.1', logLevel: 'error' }) as readonly Document[];
  return documents.flatMap((document, index) =>
    takeDocuments(document).map((part) => {
      const object = part.toJS() as KubernetesObject;
      const place = `${source}: document ${index + 1}, ${object.kind} ${object.metadata?.name ?? '(no name)'}`;
      return { place, object: { ...object, metadata: object.metadata ?? {} }, document: part, layout };
    }),
  );
}

const layoutOf = (text: string): ManifestDocument['layout'] => ({
  lineWidth: 0,
  indentSeq: !/^( *)[\w-]+:[^\S\n]*\n\1- /m.test(text),
  flowCollectionPadding: /[:-] +[[{] /.test(text),
});

/** The document itself, the items of a list, or nothing for a document that holds nothing but remarks. */
function takeDocuments(document: Document): readonly Document[] {
  const { contents } = document;
  if (!isMap(contents)) return [];
  const items = String(contents.get('kind')).endsWith('List') ? contents.get('items') : undefined;
  if (!isSeq(items)) return [document];
  writeAliasesOut(document);
  return items.items.flatMap((item) => takeDocuments(documentOf(item as ParsedNode)));
}

/** An item that is taken out of its document leaves the anchors of the others behind. */
function writeAliasesOut(document: Document): void {
  visit(document, {
    Alias(_key, alias) {
      const copy = alias.resolve(document)?.clone();
      if (!isMap(copy) && !isSeq(copy) && !isScalar(copy)) return undefined;
      delete copy.anchor;
      return copy;
    },
  });
}

function documentOf(contents: ParsedNode): Document {
  const document = new Document(undefined, { version: '1.1' });
  document.contents = contents;
  return document;
}
