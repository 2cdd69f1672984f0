import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  createFileRegistry,
  createRegistry,
  fromBinary,
  fromJson,
  toJson,
  type DescMethodUnary,
  type JsonObject,
  type JsonValue,
  type Registry,
} from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { IngestionService } from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { EventSchema } from '@slipway/proto/slipway/events/v1/event'
import { createGrpcTransport } from '@slipway/shared/rpc'

import { folderOf } from './releases.ts'

/** The protos of this release that callers are tested with. */
export const currentProtos: Registry = createRegistry(
  AccountService,
  AgentService,
  DeploymentService,
  IngestionService,
  EventSchema,
)

/** The protos of a release. */
export function protosOf(version: string): Registry {
  const image = readFileSync(join(folderOf(version), 'protos.binpb'))
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, image))
}

/** An RPC: its service and its name, and a request in JSON. */
export type RpcCall = readonly [service: string, method: string, request: JsonObject]

/** Sends requests that are encoded with `protos`; returns responses as these describe them. */
export async function callWith(
  protos: Registry,
  address: string,
  token: string,
  [typeName, name, request]: RpcCall,
): Promise<JsonValue> {
  const service = protos.getService(typeName)
  const method = service?.methods.find((each) => each.name === name)
  if (service === undefined || method?.methodKind !== 'unary')
    throw new Error(`${typeName} has no unary RPC ${name}`)
  using transport = createGrpcTransport([address], [service])
  const { message } = await transport.unary(
    method as DescMethodUnary,
    undefined,
    60_000,
    { authorization: `Bearer ${token}` },
    fromJson(method.input, request),
  )
  return toJson(method.output, message)
}

/** Decodes an event as `protos` describe it. */
export function readEvent(protos: Registry, payload: Uint8Array): JsonValue {
  const schema = protos.getMessage(EventSchema.typeName)
  if (schema === undefined) throw new Error(`${EventSchema.typeName} is missing`)
  return toJson(schema, fromBinary(schema, payload))
}
