"""Grains of dust: an object whose mesh has a vertex for each, shown as spheres by geometry nodes."""

import bpy

GROUP_NAME = "sunder dust"


def add_dust(name, collection, material):
    dust = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    dust.data.materials.append(material)
    collection.objects.link(dust)
    dust.modifiers.new("spheres", "NODES").node_group = _spheres(material)
    return dust


def _spheres(material):
    group = bpy.data.node_groups.get(GROUP_NAME)
    if group is not None:
        return group
    group = bpy.data.node_groups.new(GROUP_NAME, "GeometryNodeTree")
    if hasattr(group, "interface"):  # since 4.0
        group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        group.inputs.new("NodeSocketGeometry", "Geometry")
        group.outputs.new("NodeSocketGeometry", "Geometry")
    kinds = ("NodeGroupInput", "GeometryNodeMeshToPoints", "GeometryNodeSetMaterial", "NodeGroupOutput")
    source, points, painted, result = (group.nodes.new(kind) for kind in kinds)
    radius = group.nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "grain_radius"
    painted.inputs["Material"].default_value = material
    for place, node in enumerate((source, points, painted, result)):
        node.location = (200 * place, 0)
    radius.location = (0, -200)
    group.links.new(source.outputs[0], points.inputs["Mesh"])
    group.links.new(next(o for o in radius.outputs if o.enabled and o.name == "Attribute"), points.inputs["Radius"])
    group.links.new(points.outputs[0], painted.inputs["Geometry"])
    group.links.new(painted.outputs[0], result.inputs[0])
    return group
