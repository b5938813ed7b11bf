"""The materials `outside`, `inside` and `collider`: defaults to start from. One that is there already stays as it is."""

import bpy

OUTSIDE_NAME, INSIDE_NAME, COLLIDER_NAME = "outside", "inside", "collider"
GLAZE = (0.045, 0.21, 0.27)  # linear
CLAY = (0.72, 0.52, 0.36)
GREY = (0.42, 0.41, 0.40)
GRAINS_ACROSS = 150  # of the roughness of broken clay, over the size of the bodies


def outside_material():
    return _material(OUTSIDE_NAME, GLAZE, roughness=0.22)[0]


def inside_material(size):
    """`size` of the bodies in units of the scene: broken faces are rough on a scale that fits."""
    material, shader = _material(INSIDE_NAME, CLAY, roughness=0.95)
    if shader is not None:
        nodes, links = material.node_tree.nodes, material.node_tree.links
        rest = nodes.new("ShaderNodeAttribute")  # sticks to the pieces as they fly
        rest.attribute_name = "rest"
        noise = nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = GRAINS_ACROSS / max(size, 1e-9)
        noise.inputs["Detail"].default_value = 4
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Distance"].default_value = size / GRAINS_ACROSS / 4
        bump.inputs["Strength"].default_value = 0.6
        links.new(rest.outputs["Vector"], noise.inputs["Vector"])
        links.new(noise.outputs[0], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
        for place, node in enumerate((rest, noise, bump)):
            node.location = (200 * place - 700, -200)
    return material


def collider_material():
    return _material(COLLIDER_NAME, GREY, roughness=0.7)[0]


def _material(name, color, roughness):
    """The material, and its shader if it is new."""
    material = bpy.data.materials.get(name)
    if material is not None:
        return material, None
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    material.diffuse_color = (*color, 1)
    material.roughness = roughness
    # By type: names of nodes are translated with the interface.
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*color, 1)
    shader.inputs["Roughness"].default_value = roughness
    return material, shader
