import { createHash } from 'node:crypto';
import { mergeRecords } from '@nodewright/apis';
import { openApiDefinitions } from '../schema/definitions.ts';
import type { ServedResources } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { JsonObject } from '../schema/json.ts';
import { componentSchemas } from './components.ts';
import { version2Protobuf } from './version2-protobuf.ts';
import { resourcePaths } from './paths.ts';
import { rootDocument, rootPlaces } from './root-documents.ts';

/** The OpenAPI documents of the resources that are served now. */
export class OpenApiDocuments {
  readonly #registry: ServedResources;
  readonly #minor: number;
  readonly #made = new Map<string, string>();

  constructor(registry: ServedResources, minor: number) {
    this.#registry = registry;
    this.#minor = minor;
  }

  /** `GET /openapi/v3`: where each group and version is described. The hash changes with the description. */
  index(): JsonObject {
    const places = [...new Set([...this.#registry.resources().map(documentPlace), ...this.#roots()])].toSorted();
    return {
      paths: Object.fromEntries(
        places.map((place) => [place, { serverRelativeURL: `/openapi/v3/${place}?hash=${this.hashOf(place)}` }]),
      ),
    };
  }

  /** The document of a group and version by its place such as `apis/apps/v1`; undefined when it is not served. */
  version3(place: string): string | undefined {
    const made = this.#made.get(place) ?? this.#make(place);
    if (made !== undefined) this.#made.set(place, made);
    return made;
  }

  hashOf(place: string): string {
    const inputs = this.#at(place).map(({ plural, schema, custom }) => [plural, custom === undefined ? '' : schema]);
    const text = JSON.stringify([this.#minor, place, inputs]);
    return createHash('sha512').update(text).digest('hex').toUpperCase();
  }

  /** `GET /openapi/v2`: everything in one document. */
  version2(): JsonObject {
    return {
      swagger: '2.0',
      info: this.#info(),
      paths: {},
      definitions: openApiDefinitions(),
    };
  }

  /** The same in protocol buffers, the only form that older clients read. */
  version2Protobuf(): Uint8Array {
    return version2Protobuf(this.#registry.resources(), `v1.${this.#minor}`);
  }

  #make(place: string): string | undefined {
    if (this.#roots().includes(place)) {
      return JSON.stringify({ openapi: '3.0.0', info: this.#info(), ...rootDocument(place) });
    }
    const resources = this.#at(place);
    if (resources.length === 0) return undefined;
    return JSON.stringify({
      openapi: '3.0.0',
      info: this.#info(),
      paths: mergeRecords(resources.map(resourcePaths)),
      components: { schemas: componentSchemas(resources) },
    });
  }

  #roots(): readonly string[] {
    const groups = this.#registry.groups().filter(({ name }) => name !== '' && this.#registry.isBuiltInGroup(name));
    return rootPlaces(groups.map(({ name }) => name));
  }

  #at(place: string): readonly Resource[] {
    return this.#registry.resources().filter((resource) => documentPlace(resource) === place);
  }

  #info(): JsonObject {
    return { title: 'Kubernetes', version: `v1.${this.#minor}` };
  }
}

const documentPlace = (resource: Resource): string =>
  resource.group === '' ? `api/${resource.version}` : `apis/${groupVersion(resource)}`;
