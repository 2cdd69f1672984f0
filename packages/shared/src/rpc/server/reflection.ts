import {
  toBinary,
  type DescFile,
  type DescService,
  type MessageInitShape,
} from '@bufbuild/protobuf'
import { nestedTypes } from '@bufbuild/protobuf/reflect'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { Code, type ServiceImpl } from '@connectrpc/connect'
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
} from '@slipway/proto/grpc/reflection/v1/reflection'
import { ServerReflection as AlphaServerReflection } from '@slipway/proto/grpc/reflection/v1alpha/reflection'

import {
  guardService,
  type GuardedService,
  type PolicyDependencies,
} from '../policies/guard-service.ts'

type Answer = NonNullable<
  MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse']
>

/**
 * The services by which tools such as grpcurl read the protos of a server
 * (https://github.com/grpc/grpc/blob/master/doc/server-reflection.md), in both versions in use.
 * They describe the given services and are open to anyone.
 */
export function reflectionServices(
  services: readonly DescService[],
  policies: PolicyDependencies,
): GuardedService[] {
  const described = describe(services)
  const implementation: ServiceImpl<typeof ServerReflection> = {
    async *serverReflectionInfo(requests) {
      for await (const request of requests)
        yield {
          validHost: request.host,
          originalRequest: request,
          messageResponse: answerOf(request, described),
        }
    },
  }
  const access = { serverReflectionInfo: 'public' } as const
  return [
    guardService(ServerReflection, implementation, access, policies),
    // Its messages are the same but for the name of their package.
    guardService(
      AlphaServerReflection,
      implementation as unknown as ServiceImpl<typeof AlphaServerReflection>,
      access,
      policies,
    ),
  ]
}

interface Described {
  readonly services: readonly string[]
  readonly files: ReadonlyMap<string, DescFile>
  /** The files by the full names of what they define. */
  readonly symbols: ReadonlyMap<string, DescFile>
}

function describe(services: readonly DescService[]): Described {
  const files = new Map<string, DescFile>()
  const symbols = new Map<string, DescFile>()
  const add = (file: DescFile): void => {
    if (files.has(file.proto.name)) return
    files.set(file.proto.name, file)
    for (const type of nestedTypes(file)) {
      symbols.set(type.typeName, file)
      if (type.kind !== 'service') continue
      for (const { name } of type.methods) symbols.set(`${type.typeName}.${name}`, file)
    }
    file.dependencies.forEach(add)
  }
  for (const { file } of services) add(file)
  return { services: services.map(({ typeName }) => typeName).sort(), files, symbols }
}

function answerOf(
  { messageRequest: { case: kind, value } }: ServerReflectionRequest,
  { services, files, symbols }: Described,
): Answer {
  switch (kind) {
    case 'listServices':
      return {
        case: 'listServicesResponse',
        value: { service: services.map((name) => ({ name })) },
      }
    case 'fileByFilename':
      return fileAnswer(files.get(value), `there is no file ${value}`)
    case 'fileContainingSymbol':
      return fileAnswer(symbols.get(value), `there is no symbol ${value}`)
    case 'fileContainingExtension':
      return problem(Code.NotFound, 'the protos have no extensions')
    case 'allExtensionNumbersOfType':
      return symbols.has(value)
        ? { case: 'allExtensionNumbersResponse', value: { baseTypeName: value } }
        : problem(Code.NotFound, `there is no type ${value}`)
    case undefined:
      return problem(Code.InvalidArgument, 'the request asks for nothing')
  }
}

/** The file with all files that it imports, each before those that import it. */
function fileAnswer(file: DescFile | undefined, missing: string): Answer {
  if (file === undefined) return problem(Code.NotFound, missing)
  const all = new Set<DescFile>()
  const add = (each: DescFile): void => {
    each.dependencies.forEach(add)
    all.add(each)
  }
  add(file)
  const fileDescriptorProto = [...all].map(({ proto }) =>
    toBinary(FileDescriptorProtoSchema, proto),
  )
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } }
}

function problem(errorCode: Code, errorMessage: string): Answer {
  return { case: 'errorResponse', value: { errorCode, errorMessage } }
}
